// The page before a question: examples, what was asked before (in this browser), saved searches, what is configured.

import { button, find, hint, make, replace } from "./dom.js";
import { addressOfSaved } from "./state.js";
import { ago, amount } from "./words.js";

const KEPT = "goldpan-recent";
const MOST = 8;
const EXAMPLES = [
  "lightweight date library for JavaScript, MIT, not moment",
  "terminal file manager with image preview",
  "self-hosted photo gallery for a family",
  "turn features on for some users only",
];

/** Show what to begin with; `ask` is called with the question that was chosen, `server` is what `/page/start` has. */
export function showStart(ask, { saved = [], configured = [] }) {
  const asked = recent();
  const forget = () => {
    keep([]);
    showStart(ask, { saved, configured });
    find("question").focus();
  };
  find("start").hidden = false;
  replace(
    find("start"),
    ...list("Try", EXAMPLES, ask),
    ...(asked.length ? list("Asked before", asked, ask) : []),
    asked.length > 0 && button("Forget these", forget),
    ...(saved.length ? [make("h2", {}, "Saved searches"), make("ul", {}, ...saved.map(savedSearch))] : []),
    ...(configured.length ? setup(configured) : []),
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
      make("li", { class: "chip" }, button(each, () => ask(each))),
    ),
  ),
];

function savedSearch(saved) {
  const { name, request, new: added, last_run: run, ids } = saved;
  const last = run ? `${amount(ids.length, "result", "results")}, ${added} new, ${ago(run)}` : "not run yet";
  return make("li", {}, make("a", { href: addressOfSaved(saved) }, name), hint("span", ` ${request.query}: ${last}`));
}

function setup(configured) {
  const done = configured.filter((each) => each.is_configured).map((each) => each.name);
  const missing = configured.filter((each) => !each.is_configured);
  return [
    make("h2", {}, "Set up"),
    make("p", {}, done.length ? `Configured: ${done.join(", ")}.` : "Nothing is configured, and nothing has to be."),
    missing.length > 0 &&
      make(
        "details",
        {},
        make("summary", {}, `Not configured: ${missing.map((each) => each.name).join(", ")}`),
        make("ul", {}, ...missing.map(({ name, purpose, settings: [setting] }) => make("li", {}, make("strong", {}, name), ` – ${purpose} Set `, make("code", {}, setting), " where the server is started."))),
      ),
  ];
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
