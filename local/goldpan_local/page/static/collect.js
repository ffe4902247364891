// Adds results to a project of the reader's library, which the server keeps.

import { post } from "./client.js";
import { showDialog } from "./dialog.js";
import { make } from "./dom.js";

const PROJECT = "[a-z0-9\\-]{1,64}";
let last = "default";

/** Ask for the project, and add what an answer has; `projects` are those to choose from. */
export function offerToAdd(answer, projects) {
  const { names } = projects;
  const status = make("p", { role: "status" });
  const field = make("input", { id: "add-to", list: "add-names", value: names.includes(last) ? last : (names[0] ?? last), pattern: PROJECT, required: true, autocomplete: "off", title: "a-z, 0-9 and -" });
  const add = async (event) => {
    event.preventDefault();
    last = field.value;
    status.textContent = "Adding …";
    try {
      const { message } = await post(`/page/add?project=${encodeURIComponent(last)}`, answer);
      status.textContent = `${message}.`;
      await projects.load();
    } catch (error) {
      status.append(` ${error.message}`);
    }
  };
  showDialog(
    "Add to your library",
    make(
      "form",
      { class: "named", onsubmit: add },
      make("label", { for: "add-to" }, "Project; a new name creates one"),
      field,
      make("datalist", { id: "add-names" }, ...names.map((value) => make("option", { value }))),
      make("button", {}, "Add"),
    ),
    status,
  );
  field.select();
}
