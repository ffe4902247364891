// The page: reads the form, runs the search, and shows what comes.

import { Problem, search } from "./client.js";
import { Comparison } from "./compare.js";
import { find, make, replace } from "./dom.js";
import { Progress } from "./progress.js";
import { showAnswer } from "./results.js";
import { addressOf, readAddress, requestOf } from "./state.js";
import { showUnderstood } from "./understood.js";
import { modeText } from "./words.js";

const form = find("form");
const comparison = new Comparison(say);
let ignored = [],
  running = null;

function say(text) {
  find("status").textContent = text;
}

/** Run the search of the form; `remember` adds it to the history of the browser. */
async function run(remember = true) {
  const request = requestOf(form, ignored);
  if (!request.kinds.length) return fail(new Problem({ detail: "Choose repositories, papers or both." }));
  if (remember) history.pushState(null, "", addressOf(request));
  document.title = `${request.query} – goldpan`;
  running?.abort();
  const own = (running = new AbortController());
  const progress = new Progress(request.kinds);
  begin();
  try {
    const answer = await search(request, (name, data) => own === running && progress.add(name, data), own.signal);
    if (own === running) show(answer);
  } catch (error) {
    if (own === running) fail(error);
  } finally {
    if (own === running) {
      progress.end();
      end();
    }
  }
}

function begin() {
  replace(find("problem"));
  replace(find("results"));
  find("sources").hidden = find("understood").hidden = true;
  comparison.clear();
  find("cancel").hidden = false;
  find("results").setAttribute("aria-busy", "true");
}

function end() {
  running = null;
  find("cancel").hidden = true;
  find("results").removeAttribute("aria-busy");
}

function show(answer) {
  const change = {
    ignore: (id) => {
      ignored = [...new Set([...ignored, id])];
      run();
    },
    restore: () => {
      ignored = [];
      run();
    },
    rewrite: (text, other) => {
      form.q.value = form.q.value
        .replace(text, () => other)
        .replaceAll(/\s+/g, " ")
        .trim();
      ignored = [];
      run();
    },
  };
  showUnderstood(answer.interpretation, ignored, change);
  showAnswer(answer, { comparison, share, like });
  const counts = ["repositories", "papers"]
    .filter((kind) => answer[kind])
    .map((kind) => `${answer[kind].results.length} ${kind}`);
  say(`Found ${counts.join(" and ")}.`);
}

function fail(error) {
  if (error.name === "AbortError") {
    say("The search was cancelled.");
    return;
  }
  const again = error.retryAfter && ` Try again in ${error.retryAfter} s.`;
  const key = error.status === 403 && " Type the API key of this server under “More options”.";
  replace(find("problem"), make("p", {}, make("strong", {}, "No answer. "), error.message, again, key));
  say("");
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say(`The link: ${location.href}`);
  }
}

function like(result) {
  form.q.value = `like ${result.repo}`;
  ignored = [];
  form.querySelector("[name=kind][value=repositories]").checked = true;
  run();
  form.q.focus();
}

function explainMode() {
  find("mode-text").textContent = modeText(form.mode.value);
}

function readLocation() {
  const given = readAddress(form);
  explainMode();
  if (given === null) return;
  ignored = given;
  run(false);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ignored = [];
  form.dataset.sources = ""; // a new question asks all sources
  run();
});
form.mode.addEventListener("change", explainMode);
find("cancel").addEventListener("click", () => running?.abort());
addEventListener("popstate", readLocation);
readLocation();
