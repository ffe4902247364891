// The page: reads the form, runs the search, and shows what comes.

import { post, Problem, search } from "./client.js";
import { compare, Comparison, MOST } from "./compare.js";
import { find, make, replace } from "./dom.js";
import { nothingCollected, Projects, showLibrary } from "./library.js";
import { Progress } from "./progress.js";
import { showAnswer } from "./results.js";
import { addressOf, readAddress, requestOf } from "./state.js";
import { showUnderstood } from "./understood.js";
import { modeText } from "./words.js";

const form = find("form");
const comparison = new Comparison(say);
const projects = new Projects(form);
let ignored = [],
  running = null;

function say(text) {
  find("status").textContent = text;
}

/** Run what the form asks; `remember` adds it to the history of the browser. */
async function run(remember = true) {
  if (form.where.value !== "world" && !(await hasPapers())) return;
  const asked = requestOf(form, ignored);
  if (asked.path === "/search" && !asked.kinds.length)
    return fail(new Problem({ detail: "Choose repositories, papers or both." }));
  if (asked.path === "/like") chooseKinds(asked.kinds);
  if (remember) history.pushState(null, "", addressOf(form, asked));
  document.title = `${asked.query} – goldpan`;
  running?.abort();
  const own = (running = new AbortController());
  const progress = new Progress(asked.kinds);
  begin();
  try {
    const report = (name, data) => own === running && progress.add(name, data);
    const answer = asked.kinds.length
      ? await search(asked.path, asked.body, report, own.signal)
      : await post(asked.path, asked.body, own.signal);
    if (own === running) show(answer, asked);
  } catch (error) {
    if (own === running) fail(error);
  } finally {
    if (own === running) {
      progress.end();
      end();
    }
  }
}

/** Whether there is a project to search; if not, the page says which command collects papers. */
async function hasPapers() {
  try {
    if (!projects.names.length) await projects.load();
  } catch (error) {
    fail(error);
    return false;
  }
  if (!projects.names.length) {
    running?.abort();
    begin();
    end();
    say("");
    replace(find("problem"), nothingCollected());
  }
  return projects.names.length > 0;
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

function show(answer, asked) {
  if (!asked.kinds.length) return say(`Found ${showLibrary(answer, asked.body, { share })}.`);
  comparison.query = asked.path === "/like" ? null : answer.query;
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
  showAnswer(answer, { comparison, share, like: (result) => like(result.repo) });
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

function like(name) {
  form.q.value = `like ${name}`;
  form.where.value = "world";
  form.dataset.sources = "";
  ignored = [];
  showPlace();
  run();
  form.q.focus();
}

function chooseKinds(kinds) {
  for (const box of form.querySelectorAll("[name=kind]")) box.checked = kinds.includes(box.value);
}

/** Show the options that the place to search in has. */
function showPlace() {
  find("kinds").hidden = find("mode-box").hidden = form.where.value !== "world";
  projects.show();
}

const typedNames = () => find("names").value.split(/[\s,]+/).filter(Boolean);

/** Compare the repositories that were typed, or search for what is like the only one. */
function runNamed(event) {
  event.preventDefault();
  const names = typedNames();
  if (names.length === 1) like(names[0]);
  else if (names.length > 1 && names.length <= MOST) compare(names, form.q.value.trim());
  else say(`Type one to ${MOST} repositories, such as iamkun/dayjs; there are ${names.length}.`);
}

function nameButton() {
  find("go-named").textContent = typedNames().length === 1 ? "More like this" : "Compare";
}

function explainMode() {
  find("mode-text").textContent = modeText(form.mode.value);
}

function readLocation() {
  const given = readAddress(form, projects);
  explainMode();
  showPlace();
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
form.where.addEventListener("change", showPlace);
find("kinds").addEventListener("change", showPlace);
find("key").addEventListener("change", loadProjects);
find("named").addEventListener("submit", runNamed);
find("names").addEventListener("input", nameButton);
find("cancel").addEventListener("click", () => running?.abort());
addEventListener("popstate", readLocation);
readLocation();
loadProjects();

/** Offer the projects; a server that wants a key refuses until one is typed, and says so when the library is asked. */
function loadProjects() {
  projects.load().catch((error) => error.status === 403 || say(error.message));
}
