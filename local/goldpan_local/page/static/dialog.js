// The dialog of the page, for what stands beside the results.

import { find, make, replace } from "./dom.js";

/** Open the dialog, or replace what it shows. */
export function showDialog(title, ...children) {
  const dialog = find("dialog");
  replace(
    dialog,
    make("form", { method: "dialog" }, make("button", { class: "close", "aria-label": "Close" }, "×")),
    make("h2", { id: "dialog-title" }, title),
    ...children,
  );
  if (!dialog.open) dialog.showModal();
}

/** Run a call that closing the dialog ends; what fails is said in the dialog. */
export async function inDialog(title, waiting, call, show) {
  const ending = new AbortController();
  showDialog(title, ...waiting);
  const end = () => ending.abort();
  find("dialog").addEventListener("close", end);
  try {
    show(await call(ending.signal));
  } catch (error) {
    if (error.name !== "AbortError") showDialog(title, make("p", { role: "alert" }, error.message));
  } finally {
    find("dialog").removeEventListener("close", end);
  }
}
