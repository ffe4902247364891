// Fits the page to what its server can do, which the server says in a module of its own.

import SERVER from "./described_server.js"; // made by the server, or with the files of the page where it is deployed

import { find } from "./dom.js";
import { typedKey, WORLD } from "./state.js";

/** Ask for the key that the server needs before the first search, and offer no place to search in that it does not name. */
export function fitForm(form) {
  const key = find("key");
  const ask = () => {
    key.required = SERVER.needs_key && !typedKey();
  };
  key.addEventListener("change", ask);
  ask();
  key.parentElement.hidden = !SERVER.needs_key;
  if (SERVER.has_page_paths) return;
  for (const place of [...form.where.options]) if (place.value !== WORLD) place.remove();
  form.where.parentElement.hidden = true;
}
