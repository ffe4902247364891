// The page: reads the form, runs the search, and shows what comes.

import { post, search } from "./client.js";
import { Comparison } from "./compare.js";
import { find, make, replace } from "./dom.js";
import { offerFilters, showFilters } from "./filters.js";
import { KINDS, headingOf } from "./kinds.js";
import { nothingCollected, Projects, showLibrary } from "./library.js";
import { offerNames } from "./named.js";
import { followAddress, openComparison, visit } from "./navigation.js";
import { withPage } from "./pages.js";
import { Problem, problemText } from "./problems.js";
import { Progress, showEarly } from "./progress.js";
import { showAnswer, showSources } from "./results.js";
import { remember, showStart } from "./start.js";
import { addressOf, chosenKinds, readAddress, requestOf, WORLD } from "./state.js";
import { showUnderstood } from "./understood.js";
import { modeText } from "./words.js";

const form = find("form");
const comparison = new Comparison(say, openComparison);
const projects = new Projects(form);
const NEW = { ignore: [], wishes: [], strategies: [] };
let round = NEW,
  running = null;

function say(text) {
  find("status").textContent = text;
}

/** Run what the form asks, in place of what runs; `addToHistory` makes it a step of the history of the browser. */
async function run(addToHistory = true) {
  if (form.where.value === WORLD && !requestOf(form).kinds.length)
    return fail(new Problem({ status: 400, detail: "Choose at least one of what can be found." }));
  begin();
  showOptions(false);
  document.body.classList.add("asked");
  find("start").hidden = true;
  replace(find("start"));
  const own = (running = new AbortController());
  const current = () => own === running;
  try {
    if (form.where.value === WORLD || (await hasPapers(own.signal))) await ask(own.signal, current, addToHistory);
    else if (current()) replace(find("problem"), nothingCollected());
  } catch (error) {
    if (current()) fail(error);
  } finally {
    if (current()) end();
  }
}

/** Run a question whose understanding was changed; the focus stays there, since the button that had it is gone. */
async function runChanged() {
  await run();
  if (document.activeElement === document.body) find("understood").focus();
}

/** Whether the library has a project to search. */
async function hasPapers(signal) {
  if (!projects.names.length) await projects.load(signal);
  return projects.names.length > 0;
}

/** Ask the server, and show what it answers for as long as no later search is `current`. */
async function ask(signal, current, addToHistory) {
  if (!current()) return;
  const asked = requestOf(form, round);
  if (asked.path === "/like") chooseKinds(asked.kinds);
  visit(addressOf(form, asked), addToHistory);
  document.title = `${asked.query} – goldpan`;
  remember(asked.query);
  const progress = new Progress(asked.kinds);
  const report = (name, data) => current() && progress.add(name, data);
  const answer = asked.kinds.length
    ? await search(asked.path, asked.body, report, signal)
    : await post(asked.path, asked.body, signal);
  if (current()) show(answer, asked);
}

/** End what runs, and empty the page for what comes. */
function begin() {
  running?.abort();
  replace(find("problem"));
  replace(find("results"));
  say("");
  find("progress").hidden = find("sources").hidden = find("understood").hidden = true;
  comparison.clear();
  find("cancel").hidden = false;
  find("results").setAttribute("aria-busy", "true");
}

function end() {
  running = null;
  find("progress").hidden = find("cancel").hidden = true;
  find("results").removeAttribute("aria-busy");
}

/** Change the round, and run it. */
function changed(parts) {
  round = { ...round, ...parts };
  runChanged();
}

/** Show what was understood, which can be changed; a further wish continues a search with these strategies. */
function showChips(interpretation, strategies) {
  showUnderstood(interpretation, round.ignore, {
    ignore: (id) => changed({ ignore: [...new Set([...round.ignore, id])] }),
    restore: () => changed({ ignore: [] }),
    rewrite: (text, other) => {
      const [query, ...wishes] = [form.q.value, ...round.wishes].map((typed) =>
        typed
          .replace(text, () => other)
          .replaceAll(/\s+/g, " ")
          .trim(),
      );
      form.q.value = query;
      changed({ ignore: [], wishes: wishes.filter(Boolean) });
    },
    refine: (wish) => changed({ wishes: [...new Set([...round.wishes, wish])], strategies }),
  });
}

function show(answer, asked) {
  if (!asked.kinds.length) return say(`Found ${showLibrary(answer, asked.body)}.`);
  comparison.question = asked.query;
  const strategies = asked.kinds.flatMap((kind) => answer[kind]?.strategies ?? []);
  showChips(answer.interpretation, strategies);
  showResults(answer, asked, new Map());
}

/** Show the results that were fetched; `chosen` has the chosen values of the facets. */
function showResults(answer, asked, chosen) {
  const more = (offset) => addPage(answer, asked, offset, chosen);
  say(`Found ${showAnswer(answer, { comparison, like, chosen, more })}.`);
}

/** Fetch the page at an offset, and add it to the shown answer; a search that starts meanwhile takes its place. */
async function addPage(answer, asked, offset, chosen) {
  running?.abort();
  const own = (running = new AbortController());
  find("more").disabled = true;
  try {
    const both = await withPage(answer, asked, offset, own.signal);
    if (own !== running) return;
    showResults(both, asked, chosen);
    (find("more") ?? find("results")).focus();
  } catch (error) {
    if (own === running) fail(error);
  } finally {
    if (own === running) running = null;
  }
}

function fail(error) {
  if (error.name === "AbortError") {
    say("The search was cancelled.");
    return;
  }
  const again = () => {
    form.q.focus(); // the button that had the focus is about to go
    run(false);
  };
  replace(find("problem"), problemText(error, again));
  if (error.known) showKnown(error.known);
  say("");
}

/** Show what a search that failed had found: what was understood, the sources, and the first candidates. */
function showKnown({ interpretation = [], sources = [], candidates = {} }) {
  if (interpretation.length) showChips(interpretation, round.strategies);
  showSources(sources);
  for (const [kind, previews] of Object.entries(candidates)) showEarly(kind, previews);
}

function like(name) {
  form.q.value = `like ${name}`;
  form.where.value = WORLD;
  form.dataset.sources = "";
  round = NEW;
  showPlace();
  run();
  form.q.focus();
}

function chooseKinds(kinds) {
  for (const box of form.querySelectorAll("[name=kind]")) box.checked = kinds.includes(box.value);
}

/** Show the options that the place to search in has. */
function showPlace() {
  find("kinds").hidden = find("mode-box").hidden = find("filter-box").hidden = form.where.value !== WORLD;
  showFilters(chosenKinds(form).map((kind) => kind.name));
  projects.show();
}

function explainMode() {
  find("mode-text").textContent = modeText(form.mode.value);
}

/** Show the options, or hide them, so that the form is one line. */
function showOptions(open) {
  find("options").hidden = !open;
  find("options-button").setAttribute("aria-expanded", open);
}

/** Open the options that hide a wrong value: the browser marks it and says what is allowed. */
function openOptions(event) {
  if (find("options").contains(event.target)) showOptions(true);
  event.target.closest("details")?.setAttribute("open", "");
}

/** Fill the form from the address of the page; returns false if there is no question. */
function fill() {
  const given = readAddress(form, projects);
  round = given ?? NEW;
  if (!given) showStart(choose);
  explainMode();
  showPlace();
  return given !== null;
}

/** Show the page as it is at first. */
function start() {
  begin();
  end();
  form.reset();
  form.dataset.sources = "";
  explainMode();
  showPlace();
  showOptions(true);
  document.body.classList.remove("asked");
  document.title = "goldpan";
}

/** Ask a question that was chosen. */
function choose(question) {
  form.q.value = question;
  form.requestSubmit();
}

/** Offer the kinds that the server has; the first one is chosen. */
function offerKinds() {
  const boxes = KINDS.map((kind, place) =>
    make(
      "label",
      {},
      make("input", { type: "checkbox", name: "kind", value: kind.name, checked: place === 0 }),
      ` ${headingOf(kind)}`,
    ),
  );
  find("kinds").append(...boxes);
}

offerKinds();
offerFilters();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  round = NEW;
  form.dataset.sources = ""; // a new question asks all sources
  run();
});
form.addEventListener("invalid", openOptions, true);
find("options-button").addEventListener("click", () => showOptions(find("options").hidden));
form.mode.addEventListener("change", explainMode);
form.where.addEventListener("change", showPlace);
find("kinds").addEventListener("change", showPlace);
find("key").addEventListener("change", loadProjects);
find("cancel").addEventListener("click", () => {
  form.q.focus();
  running?.abort();
});
offerNames({ question: () => form.q.value.trim(), like, say });
followAddress({ fill, search: () => run(false), start });
loadProjects();

/** Offer the projects; a server that wants a key refuses until one is typed, and says so when the library is asked. */
function loadProjects() {
  projects.load().catch((error) => error.status === 403 || say(error.message));
}
