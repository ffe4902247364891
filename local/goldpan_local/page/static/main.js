// The page: reads the form, runs the search, and shows what comes.

import { post, search } from "./client.js";
import { offerToAdd } from "./collect.js";
import { Comparison } from "./compare.js";
import { find, keepFocus, replace } from "./dom.js";
import { comparable, identityOf, kindOf, titleOf } from "./kinds.js";
import { nothingCollected, Projects, showLibrary } from "./library.js";
import { offerNames } from "./named.js";
import { followAddress, openComparison, visit } from "./navigation.js";
import { Options } from "./options.js";
import { moveToAdded, withPage } from "./pages.js";
import { Problem, problemText } from "./problems.js";
import { moveRows, Progress, showEarly } from "./progress.js";
import { showAnswer, showSources } from "./results.js";
import { fitForm } from "./server.js";
import { remember, showStart } from "./start.js";
import { addressOf, addressWithChosen, chosenIn, comparisonIn, readAddress, requestOf, WORLD } from "./state.js";
import { rewritten, showUnderstood } from "./understood.js";

const form = find("form");
const projects = new Projects(form);
const options = new Options(form, projects);
const add = (answer) => offerToAdd(answer, projects);
const comparison = new Comparison({ say, add, open: openComparison });
const NEW = { ignore: [], wishes: [], strategies: [], rest: {}, saved: null, wrong: [] };
let round = NEW, // what belongs to the question, and is not in the form
  fresh = new Set(), // the results that the last run of the saved search had not
  running = null,
  server = {}; // what the page begins with, as the server says

/** Say something; what the page shows elsewhere is for screen readers alone. */
function say(text, isShown = true) {
  find("status").textContent = text;
  find("status").classList.toggle("sr", !isShown);
}

/**
 * Run what the form asks, in place of what runs; `addToHistory` makes it a step of the history of the browser,
 * `chosen` are the values of facets that the results are to have, and `next` gets the focus if what had it is gone.
 */
async function run(addToHistory = true, chosen = new Map(), next = "results") {
  if (round.wrong.length) return refuse(`This link has values that cannot be read: ${round.wrong.join(", ")}. Search to go on without them.`);
  if (form.where.value === WORLD && !requestOf(form, round).kinds.length)
    return refuse("Choose at least one of what can be found.");
  begin();
  options.open(false);
  document.body.classList.add("asked");
  replace(find("start")).hidden = true;
  const own = (running = new AbortController());
  const current = () => own === running;
  try {
    if (form.where.value === WORLD || (await projects.areThere(own.signal))) await ask(own.signal, current, addToHistory, chosen);
    else if (current()) replace(find("problem"), nothingCollected());
  } catch (error) {
    if (current()) fail(error);
  } finally {
    if (current()) end(next);
  }
}

/** Ask the server, and show what it answers for as long as no later search is `current`. */
async function ask(signal, current, addToHistory, chosen) {
  if (!current()) return;
  const asked = requestOf(form, round);
  if (asked.path === "/like") options.chooseKinds(asked.kinds);
  visit(addressWithChosen(chosen, addressOf(form, asked, round.saved)), addToHistory);
  document.title = `${asked.query} – goldpan`;
  remember(asked.query);
  const progress = new Progress(asked.kinds);
  const report = (name, data) => current() && progress.add(name, data);
  const answer = asked.kinds.length
    ? await search(asked.path, asked.body, report, signal)
    : await post(asked.path, asked.body, signal);
  if (current()) moveRows(() => show(answer, asked, chosen));
}

/** End what runs, and empty the page for what comes. */
function begin() {
  running?.abort();
  replace(find("problem"));
  replace(find("results"));
  say("", false);
  find("progress").hidden = find("sources").hidden = find("understood").hidden = true;
  comparison.clear();
  find("cancel").hidden = false;
  find("results").setAttribute("aria-busy", "true");
}

function end(next) {
  running = null;
  find("progress").hidden = find("cancel").hidden = true;
  find("results").removeAttribute("aria-busy");
  keepFocus(next);
}

/** Change the round: it is no saved search any more, and begins with the first page. */
function change(parts) {
  const { offset, ...rest } = round.rest;
  round = { ...round, rest, saved: null, ...parts };
}

/** Change the round, and run it; the focus stays at what was understood, since the button that had it is gone. */
function changed(parts) {
  change(parts);
  run(true, new Map(), "understood");
}

/** Show what was understood, which can be changed; a further wish continues a search with these strategies. */
function showChips(interpretation, strategies) {
  showUnderstood(interpretation, round.ignore, {
    ignore: (id) => changed({ ignore: [...new Set([...round.ignore, id])] }),
    restore: () => changed({ ignore: [] }),
    rewrite: (text, other) => {
      const [query, ...wishes] = rewritten([form.q.value, ...round.wishes], text, other);
      form.q.value = query;
      changed({ wishes: wishes.filter(Boolean) });
    },
    refine: (wish) => changed({ wishes: [...new Set([...round.wishes, wish])], strategies }),
  });
}

function show(answer, asked, chosen) {
  if (!asked.kinds.length) return say(`Found ${showLibrary(answer, asked.body, chosen)}.`, false);
  const strategies = asked.kinds.flatMap((kind) => answer[kind]?.strategies ?? []);
  showChips(answer.interpretation, strategies);
  const saved = server.saved?.find((each) => each.name === round.saved && each.last_run);
  const isNew = (kind) => (result) => saved && !saved.ids.includes(identityOf(kindOf(kind), result));
  fresh = new Set(asked.kinds.flatMap((kind) => (answer[kind]?.results ?? []).filter(isNew(kind))));
  showResults(answer, asked, chosen);
}

/** Show the results that were fetched; `chosen` has the chosen values of the facets. */
function showResults(answer, asked, chosen) {
  const more = (offset) => addPage(answer, asked, offset, chosen);
  comparison.answer = answer;
  say(`Found ${showAnswer(answer, { comparison, like, add, say, chosen, fresh, more })}.`, false);
}

/** Fetch the page at an offset, and add it to the shown answer; a search that starts meanwhile takes its place. */
async function addPage(answer, asked, offset, chosen) {
  running?.abort();
  const own = (running = new AbortController());
  find("more").disabled = true;
  replace(find("problem"));
  try {
    const both = await withPage(answer, asked, offset, own.signal);
    if (own !== running) return;
    moveToAdded(() => showResults(both, asked, chosen));
  } catch (error) {
    if (own === running) fail(error);
  } finally {
    find("more")?.removeAttribute("disabled");
    keepFocus("more");
    if (own === running) running = null;
  }
}

function fail(error) {
  if (error.name === "AbortError") return say("The search was cancelled. Search again, or change the question.");
  const again = () => {
    form.q.focus(); // the button that had the focus is about to go
    run(false, chosenIn());
  };
  replace(find("problem"), problemText(error, again)).scrollIntoView({ block: "nearest" });
  if (error.known) showKnown(error.known);
  say("");
}

const refuse = (detail) => fail(new Problem({ status: 400, detail }));

/** Show what a search that failed had found: what was understood, the sources, and the first candidates. */
function showKnown({ interpretation = [], sources = [], candidates = {} }) {
  if (interpretation.length) showChips(interpretation, round.strategies);
  showSources(sources);
  for (const [kind, previews] of Object.entries(candidates)) showEarly(kind, previews);
}

/** Search for what is like a result: of a kind that is compared by its name, else by its title. */
function like(kind, result) {
  form.q.value = kind === comparable ? `like ${identityOf(kind, result)}` : `like “${titleOf(kind, result)}”`;
  options.chooseKinds([kind.name]);
  form.where.value = WORLD;
  round = NEW;
  options.show();
  run();
  form.q.focus();
}

/** Fill the form from the address of the page; returns false if there is no question. */
function fill() {
  const given = readAddress(form, projects);
  round = given ?? NEW;
  if (!given) showStart(choose, server);
  options.show();
  return given !== null;
}

/** Show the page as it is at first. */
function start() {
  begin();
  end("question");
  form.reset();
  round = NEW;
  options.show();
  options.open(false);
  document.body.classList.remove("asked");
  document.title = "goldpan";
}

/** Ask a question that was chosen. */
function choose(question) {
  form.q.value = question;
  form.requestSubmit();
}

fitForm(form);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (form.q.value.trim() === comparisonIn().question) change({ wrong: [] });
  else round = NEW;
  run();
});
find("kinds").addEventListener("change", () => {
  if (document.body.classList.contains("asked") && find("options").hidden && form.reportValidity()) form.requestSubmit();
});
find("key").addEventListener("change", loadStart);
find("cancel").addEventListener("click", () => {
  form.q.focus();
  running?.abort();
});
offerNames({ question: () => form.q.value.trim(), like, say });
const loaded = loadStart();
followAddress({ fill, search: searchAddress, start });

/** Search what the address has; a saved search waits for the server to say what its last run found. */
async function searchAddress() {
  if (round.saved) await loaded;
  run(false, chosenIn());
}

/** Read what the page begins with; a server that wants a key refuses until one is typed, and says so when it is asked. */
async function loadStart() {
  try {
    server = await projects.load();
    if (!find("start").hidden) showStart(choose, server);
  } catch (error) {
    if (error.status !== 403) say(error.message);
  }
}
