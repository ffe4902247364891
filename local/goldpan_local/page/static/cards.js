// A result as a compact row: its number, what it is, what decides and why; the scores and the evidence on demand.

import { inLine, labelOf, MISSING } from "./attributes.js";
import { button, hint, link, make } from "./dom.js";
import { keepsPapers, nameOf, ownFormats } from "./exports.js";
import { identityOf, scoresOf, titleOf, valueAt } from "./kinds.js";
import { radar } from "./radar.js";
import { amount, fits, percent, sentence, words } from "./words.js";

const LINE_PRIORITY = 1; // columns that narrow tables leave out are not in the line of facts, either
const COPIED = 2; // formats that a row offers to copy
const WHOLE = 30; // a fact of so few characters stays on one line
const NOTE = "note";

/**
 * Make the row of a result. `shown` has its `number`, its `links`, the `searches` of its kind, the words of the
 * `question`, and its `marks`; `actions` has `choose`, `analyze`, `like`, `copy`, `add` and whether it is `chosen`.
 */
export function resultCard(kind, result, shown, actions) {
  const id = identityOf(kind, result);
  const title = titleOf(kind, result);
  const marks = shown.marks.map((each) => make("span", { class: "mark" }, each));
  return make(
    "article",
    { class: "card", "data-id": id, "aria-label": title },
    heading(shown.number, link(valueAt(result, kind.address.path), title), result.relevance, marks),
    make("p", { class: "quote" }, kind.description ? descriptionOf(kind, result) : telling(kind, result, shown.question)),
    make("p", { class: "facts" }, factsOf(kind, result), missing(kind, result)),
    why(result),
    result.caveats?.length > 0 && make("p", { class: "caveat" }, result.caveats.join(" ")),
    shown.links.map(linked),
    actionsOf(kind, result, id, actions, evidence(kind, result, id, shown.searches)),
  );
}

/** Make a card of what is known before the order is. */
export const earlyCard = (preview) =>
  make(
    "article",
    { class: "card early", "aria-label": preview.title },
    make("h3", {}, link(preview.url, preview.title)),
    preview.text && make("p", { class: "quote" }, preview.text),
  );

/** Return the description; else the note, which is called one, since it is not by the owner. */
const descriptionOf = (kind, result) =>
  valueAt(result, kind.description.path) ?? (result.note ? `(note) ${result.note}` : "No description.");

/** Return the sentence of a long text that has the most words of the question, the first of several; null without one. */
function telling(kind, result, question) {
  const text = kind.text && valueAt(result, kind.text.path);
  const sentences = text?.match(/.+?(?:[.!?](?=\s+\p{Lu})|$)/gsu) ?? [];
  const score = (sentence) => question.filter((word) => sentence.toLowerCase().includes(word)).length;
  return sentences.reduce((best, each) => (best === null || score(each) > score(best) ? each : best), null)?.trim() ?? null;
}

function heading(number, name, relevance, marks) {
  return make(
    "h3",
    {},
    make("span", {}, make("span", { class: "number" }, `${number}. `), name),
    marks,
    make(
      "span",
      { class: "relevance", title: `Relevance ${percent(relevance)}` },
      `${fits(relevance)} `,
      make("meter", { min: 0, max: 1, value: relevance, "aria-label": `relevance ${percent(relevance)}` }),
    ),
  );
}

function factsOf(kind, result) {
  const columns = kind.columns.filter((column) => column.priority <= LINE_PRIORITY);
  const facts = [...columns, ...kind.facts].map((each) => inLine(result, each)).filter(Boolean);
  return facts.flatMap((each, place) => [place > 0 && "\u00a0· ", make("bdi", { class: each.length <= WHOLE && "whole" }, each)]);
}

/** Name the words of the question that the result does not show. */
function missing(kind, result) {
  const attribute = kind.details.find((each) => each.path === MISSING);
  const shown = attribute && valueAt(result, attribute.path);
  return shown?.length > 0 && make("span", { class: "caveat" }, ` · ${attribute.label}: ${shown.join(", ")}`);
}

function why(result) {
  const basis = result.basis === "llm" ? "judged by the language model" : "judged by rules";
  return make(
    "p",
    { class: "why", title: basis },
    make("strong", {}, "Why: "),
    result.reasoning || "No reason was given.",
  );
}

/** Make what stands behind a result: further texts, the scores, and which searches found it; closed at first. */
function evidence(kind, result, id, searches) {
  return make(
    "details",
    { class: "evidence" },
    make("summary", {}, scoresOf(kind, true).length ? "Scores and evidence" : "Text and evidence"),
    longText(kind, result),
    details(kind, result),
    foundBy(result, searches),
    scores(kind, result, id),
  );
}

function longText(kind, result) {
  const text = kind.text && valueAt(result, kind.text.path);
  return text && [make("strong", {}, sentence(labelOf(kind.text))), make("p", { class: "quote" }, text)];
}

/** List the values below the reason: a text as it is, a value with its label, but for addresses and what has one. */
function details(kind, result) {
  return kind.details
    .filter((each) => each.format !== "address" && !each.link && each.path !== MISSING)
    .filter((each) => each.path !== NOTE || valueAt(result, kind.description.path))
    .map((each) => [each.label, each.format === "text" ? valueAt(result, each.path) : inLine(result, each)])
    .filter(([, value]) => value)
    .map(([label, value]) => hint("p", label && !value.startsWith(label) ? `${label} ` : "", value));
}

function linked(each) {
  return make(
    "p",
    { class: "linked" },
    "Belongs together: ",
    make("a", { href: `#${each.to}`, "data-to": each.to }, each.to),
    hint("span", ` — ${each.evidence}`),
  );
}

/** Say which searches found the result, and at which place. */
function foundBy(result, searches) {
  const rows = result.found_by.map((each) => `${words(each.strategy)}: place ${each.rank}`);
  const all = amount(Math.max(searches, rows.length), "search", "searches");
  return rows.length > 0 && hint("p", `Found by ${rows.length} of ${all} (${rows.join("; ")})`);
}

function actionsOf(kind, result, id, actions, behind) {
  const box = make("input", {
    type: "checkbox",
    checked: actions.chosen(id),
    onchange: (event) => actions.choose(kind, result, event.target),
  });
  const isLiked = kind.is_comparable || kind.is_liked_by_title;
  return make(
    "div",
    { class: "actions" },
    (kind.is_comparable || kind.formats.length > 0) && make("label", {}, box, kind.is_comparable ? " Compare" : " Choose"),
    kind.is_analyzable && button("Look closer", actions.analyze),
    isLiked && button("More like this", () => actions.like(kind, result)),
    ...ownFormats(kind).slice(0, COPIED).map((each) => button(nameOf(each), (event) => actions.copy(result, each, event.target), { title: `Copy as ${nameOf(each)}` })),
    keepsPapers(kind) && button("Add to library", () => actions.add(result)),
    ...linksOf(kind, result),
    behind,
  );
}

/** Link the addresses of a result, and its identifiers that lead to one. */
function linksOf(kind, result) {
  const address = (each, value) => (each.link ? each.link.replace("{}", encodeURI(value).replaceAll(/[?#]/g, encodeURIComponent)) : value);
  return [...kind.facts, ...kind.details]
    .filter((each) => (each.format === "address" || each.link) && valueAt(result, each.path))
    .map((each) => link(address(each, valueAt(result, each.path)), labelOf(each)));
}

/** Draw the scores of a kind that has them, above a list of what each measures. */
function scores(kind, result, id) {
  const ofRadar = scoresOf(kind, true);
  if (!ofRadar.length) return null;
  const rows = ofRadar.flatMap((each) => {
    const score = valueAt(result, each.path);
    return [
      make("dt", {}, `${each.label}: ${score === null ? "unknown" : `${score} of 10`}`),
      make("dd", {}, each.help),
    ];
  });
  const [overall] = scoresOf(kind, false).map((each) => [each.heading, valueAt(result, each.path)]);
  return make(
    "figure",
    { class: "scores" },
    radar(ofRadar, [{ name: id, result }]),
    overall?.[1] && make("figcaption", {}, `${overall[0]} ${overall[1]} of 10`),
    make("dl", {}, ...rows),
  );
}
