// The page before a question: examples to click, and what was asked before, which only this browser keeps.

import { find, make, replace } from "./dom.js";

const KEPT = "goldpan-recent";
const MOST = 8;
const EXAMPLES = [
  "lightweight date library for JavaScript, MIT, not moment",
  "terminal file manager with image preview",
  "self-hosted photo gallery for a family",
  "turn features on for some users only",
];

/** Show what to begin with; `ask` is called with the question that was chosen. */
export function showStart(ask) {
  const asked = recent();
  find("start").hidden = false;
  replace(
    find("start"),
    ...list("Try", EXAMPLES, ask),
    ...(asked.length ? list("Asked before", asked, ask) : []),
    asked.length > 0 && make("button", { type: "button", onclick: () => forget(ask) }, "Forget these"),
  );
}

/** Keep a question for the next visit. */
export function remember(question) {
  keep([question, ...recent().filter((each) => each !== question)].slice(0, MOST));
}

const list = (title, questions, ask) => [
  make("h2", {}, title),
  make(
    "ul",
    { class: "chips" },
    ...questions.map((each) =>
      make("li", { class: "chip" }, make("button", { type: "button", onclick: () => ask(each) }, each)),
    ),
  ),
];

function forget(ask) {
  keep([]);
  showStart(ask);
  find("question").focus();
}

/** Return what was asked, the last first; nothing where the browser keeps nothing for this page. */
function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function keep(questions) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(questions));
  } catch {
    // a browser that keeps nothing has no recent questions
  }
}
