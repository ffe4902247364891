// The dialog of the page, for a comparison or an analysis in front of the results.

import { find, make, replace } from "./dom.js";
import { problemText } from "./problems.js";

let running = null; // the call that the dialog waits for

/** Open the dialog, or replace what it shows. */
export function showDialog(title, ...children) {
  const dialog = find("dialog");
  const focused = dialog.contains(document.activeElement);
  replace(
    dialog,
    make("form", { method: "dialog" }, make("button", { "aria-label": "Close" }, "×")),
    make("h2", { id: "dialog-title" }, title),
    ...children,
  );
  if (!dialog.open) dialog.showModal();
  else if (focused) dialog.querySelector("button").focus(); // what had the focus is replaced
}

/** Run a call that ends when the dialog closes or shows something else; a failure is shown in the dialog. */
export async function inDialog(title, waiting, call, show) {
  running?.abort();
  const own = (running = new AbortController());
  showDialog(title, ...waiting);
  const end = () => find("dialog").open || own.abort();
  find("dialog").addEventListener("close", end);
  try {
    const answer = await call(own.signal);
    if (!own.signal.aborted) show(answer);
  } catch (error) {
    if (error.name !== "AbortError") showDialog(title, make("div", { class: "problem", role: "alert" }, problemText(error)));
  } finally {
    find("dialog").removeEventListener("close", end);
  }
}
