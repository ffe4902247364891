// Shows an answer: the sections with their facets, the links between them, the sources, warnings and exports.

import { lookCloser } from "./analysis.js";
import { resultCard } from "./cards.js";
import { showDialog } from "./dialog.js";
import { button, find, hint, make, moveTo, replace } from "./dom.js";
import { COMMON, nameOf, ownFormats, saveButtons, withOnly, written } from "./exports.js";
import { filteredList } from "./filtered_list.js";
import { headingOf, identityOf, KINDS } from "./kinds.js";
import { shareButton } from "./share.js";
import { notices, sourceRows } from "./sources.js";
import { amount, count, duration, leftOut } from "./words.js";

const EMPTY = "Nothing was found that fits. Try different words, or take away a filter or a part of what was understood.";

/**
 * Show an answer; returns how many results it has, in words. `page` has what its cards can do: `comparison`, `like`,
 * `add`, `say`; the `chosen` values of each facet; the `fresh` results; and `more`, which is called with the
 * offset of the next page.
 */
export function showAnswer(answer, page) {
  const kinds = KINDS.filter((kind) => answer[kind.name]);
  const sections = kinds.map((kind) => section(kind, answer, page, kinds.length === 1));
  find("results").classList.toggle("several", kinds.length > 1);
  find("results").classList.toggle("uneven", kinds.filter((kind) => shownOf(answer[kind.name])).length === 1);
  const text = kinds.filter((kind) => answer[kind.name].total_candidates).map((kind) => considered(answer[kind.name], kind));
  replace(find("results"), tools(answer, kinds, page), notices(answer), tabs(kinds, sections, answer), ...sections, more(kinds, answer, page), ...text);
  showSources(answer.sources);
  return kinds.map((kind) => amount(answer[kind.name].results.length, kind.singular, kind.plural)).join(" and ");
}

/** Show the rows of the sources. */
export function showSources(rows) {
  find("sources").hidden = rows.length === 0;
  replace(find("sources"), sourceRows(rows));
}

function tools(answer, kinds, page) {
  const { llm_calls: calls, cost_usd: cost } = answer.usage;
  const used = calls ? `, ${amount(calls, "call", "calls")} of the language model for $${cost.toFixed(4)}` : "";
  const time = answer.cached ? "from the cache" : `in ${duration(answer.execution_time_ms.total)}`;
  const numbers = kinds.map((kind) => listed(answer[kind.name]).length);
  const all = sum(numbers);
  const own = kinds.map((kind, place) => [numbers[place], amount(numbers[place], kind.singular, kind.plural), ownFormats(kind)]);
  const groups = [[all, `Save all ${all}`, COMMON], ...own].filter(([number, , formats]) => number && formats.length);
  return make(
    "div",
    { class: "tools wide" },
    hint("span", `Answered ${time}${used}`),
    ...shareButton(),
    ...groups.flatMap(([number, text, formats], place) => [
      (!place || number < all) && hint("span", `${text} as`),
      ...saveButtons(formats, "", () => answer, page.say),
    ]),
  );
}

/** Make the buttons that show one of several kinds, where there is no room for them side by side. */
function tabs(kinds, sections, answer) {
  if (kinds.length < 2) return null;
  const show = (chosen) => {
    sections.forEach((each, place) => each.classList.toggle("current", place === chosen));
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", place === chosen));
  };
  const found = kinds.map((kind) => shownOf(answer[kind.name]));
  const label = (kind, place) => `${headingOf(kind)} (${found[place]})`;
  const buttons = kinds.map((kind, place) => button(label(kind, place), () => show(place)));
  const before = [...document.querySelectorAll("#results > .kind")].findIndex((each) => each.classList.contains("current"));
  show(before < 0 ? Math.max(0, found.findIndex(Boolean)) : before);
  return make("p", { class: "tabs" }, ...buttons);
}

function section(kind, answer, page, isAlone) {
  const found = answer[kind.name];
  const closed = found.results.length ? found.weaker : [];
  const shown = { ...found, results: listed(found) };
  const cards = shown.results.map((result, place) => {
    const element = card(kind, result, answer, page, place);
    const isFirst = result.group && result.group !== shown.results[place - 1]?.group;
    if (isFirst) element.prepend(make("p", {}, make("strong", {}, `${result.group}:`)));
    return [result, element];
  });
  return filteredList(
    { id: `${kind.name}-title`, title: headingOf(kind), name: kind.plural, facets: kind.facets, section: shown, cards, empty: EMPTY, chosen: page.chosen, isOpen: isAlone },
    found.nothing_fits && make("p", {}, make("strong", {}, "Nothing fits well; the nearest:")),
    closed.length > 0 &&
      make(
        "details",
        { class: "weaker" },
        make("summary", {}, amount(closed.length, "weaker match", "weaker matches")),
        ...closed.map((result, place) => card(kind, result, answer, page, found.results.length + place)),
      ),
  );
}

/** Make the button that shows the next results, if there are any. */
function more(kinds, answer, page) {
  const sections = kinds.map((kind) => answer[kind.name]);
  const all = sum(sections.map((found) => Math.max(0, found.total - passedOf(found))));
  const next = () => page.more(Math.max(...sections.map(passedOf)));
  return all > 0 && make("p", {}, button(`Show more (${all} left)`, next, { id: "more" }));
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const shownOf = (found) => found.results.length + found.weaker.length;
const passedOf = (found) => found.offset + shownOf(found);
/** The results, or the nearest where there are none. */
const listed = (found) => (found.results.length ? found.results : found.weaker);

/** Say how many candidates there were, and what left some of them out. */
function considered(found, kind) {
  const dropped = Object.entries(found.dropped ?? {})
    .map(([rule, number]) => `${number} ${leftOut(rule, kind.dropped)}`)
    .join(", ");
  const left = dropped ? `; left out: ${dropped}` : "";
  const text = `${count(found.total_candidates)} considered, ${found.shortlisted} of them looked at closely${left}.`;
  return make("p", { class: "hint considered" }, `${headingOf(kind)}: ${text}`);
}

function card(kind, result, answer, page, place) {
  const rows = answer.sources.filter((row) => row.kind === kind.name);
  const strategies = new Set(rows.map((row) => row.strategy));
  const ofLibrary = new Set(rows.filter((row) => row.source === kind.library_source).map((row) => row.strategy));
  const shown = {
    number: answer[kind.name].offset + place + 1,
    links: linksOf(kind, result, answer.links),
    searches: strategies.size,
    question: answer.interpretation.flatMap((each) => (each.kind === "term" ? each.value.toLowerCase().split(/\s+/) : [])),
    marks: [
      result.found_by.some((each) => ofLibrary.has(each.strategy)) && "your library",
      page.fresh.has(result) && "new",
    ].filter(Boolean),
  };
  const only = (one) => withOnly(answer, (each) => each === one);
  const element = resultCard(kind, result, shown, {
    chosen: (id) => page.comparison.has(id),
    choose: (...chosen) => page.comparison.choose(...chosen),
    analyze: () => lookCloser(result, answer.query),
    like: page.like,
    add: (one) => page.add(only(one)),
    copy: (one, format, button) => copyAs(only(one), format, button, page),
  });
  element.querySelectorAll("[data-to]").forEach((anchor) => anchor.addEventListener("click", follow));
  return element;
}

/** Copy a result in a format; the button says so, or a dialog has the text where the browser allows no copying. */
async function copyAs(answer, format, button, page) {
  try {
    const { text } = await written(answer, format);
    const copying = async () => navigator.clipboard.writeText(text); // a page of another machine without https has no clipboard
    const copied = await copying().then(() => true, () => false);
    if (copied) page.say(`Copied as ${nameOf(format)}.`);
    else showDialog(nameOf(format), make("pre", {}, text));
    button.textContent = copied ? `${nameOf(format)} copied` : nameOf(format);
  } catch (error) {
    page.say(error.message);
  }
}

/** List the results of other kinds that are linked to a result, each with the evidence. */
function linksOf(kind, result, links) {
  const others = KINDS.map((each) => each.link_field).filter((field) => field && field !== kind.link_field);
  return links
    .filter((each) => each[kind.link_field] === identityOf(kind, result))
    .flatMap((each) => others.filter((field) => each[field]).map((field) => ({ to: each[field], evidence: each.evidence })));
}

/** Move to the card that a link names. */
function follow(event) {
  event.preventDefault();
  const target = document.querySelector(`[data-id="${CSS.escape(event.target.dataset.to)}"]`);
  if (target) moveTo(target);
}
