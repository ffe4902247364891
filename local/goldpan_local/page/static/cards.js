// A result as a card: what it is, how well it fits and why, with the evidence.

import { inLine, labelOf } from "./attributes.js";
import { link, make } from "./dom.js";
import { identityOf, scoresOf, titleOf, valueAt } from "./kinds.js";
import { radar } from "./radar.js";
import { amount, percent, sentence, words } from "./words.js";

const LINE_PRIORITY = 1; // columns that narrow tables leave out are not in the line of facts, either

/**
 * Make the card of a result. `shown` has its `links`, the `searches` of its kind, and whether it is `own`, from the
 * reader's library; `actions` has `compare`, `analyze`, `like` and `chosen`.
 */
export function resultCard(kind, result, shown, actions) {
  const id = identityOf(kind, result);
  const title = titleOf(kind, result);
  const lineColumns = kind.columns.filter((column) => column.priority <= LINE_PRIORITY);
  const facts = [...lineColumns, ...kind.facts].map((each) => inLine(result, each)).filter(Boolean);
  const mark = shown.own && make("span", { class: "own" }, "your library");
  return make(
    "article",
    { class: "card", "data-id": id, "aria-label": title },
    make(
      "div",
      { class: "text" },
      heading(link(valueAt(result, kind.address.path), title), result.relevance, mark),
      kind.description && make("p", { class: "quote" }, descriptionOf(kind, result)),
      make("p", { class: "facts" }, facts.join(" · ")),
      longText(kind, result),
      why(result),
      details(kind, result),
      (result.caveats ?? []).map((each) => make("p", { class: "caveat" }, each)),
      shown.links.map(linked),
      foundBy(result, shown.searches),
      actionsOf(kind, result, id, actions),
    ),
    scores(kind, result, id),
  );
}

/** Make a card of what is known before the order is. */
export const earlyCard = (preview) =>
  make(
    "article",
    { class: "card early" },
    make("h3", {}, link(preview.url, preview.title)),
    preview.text && make("p", { class: "quote" }, preview.text),
  );

/** Return the description; else the note, which is called one, since it is not by the owner. */
const descriptionOf = (kind, result) =>
  valueAt(result, kind.description.path) ?? (result.note ? `(note) ${result.note}` : "No description.");

function heading(name, relevance, mark) {
  return make(
    "h3",
    {},
    name,
    mark,
    make(
      "span",
      { class: "relevance", title: "How well it fits the question" },
      make("meter", { min: 0, max: 1, value: relevance, "aria-label": "relevance" }),
      ` ${percent(relevance)}`,
    ),
  );
}

function longText(kind, result) {
  const text = kind.text && valueAt(result, kind.text.path);
  return (
    text &&
    make("details", {}, make("summary", {}, sentence(labelOf(kind.text))), make("p", { class: "quote" }, text))
  );
}

function why(result) {
  const basis = result.basis === "llm" ? "judged by the language model" : "judged by rules";
  return make(
    "p",
    { class: "why" },
    make("strong", {}, "Why: "),
    result.reasoning || "No reason was given.",
    make("span", { class: "hint" }, ` (${basis})`),
  );
}

/** List the values below the reason: a text as it is, a value with its label, but for addresses. */
function details(kind, result) {
  return kind.details
    .filter((each) => each.format !== "address")
    .filter((each) => each.path !== "note" || valueAt(result, kind.description.path))
    .map((each) => [each.label, each.format === "text" ? valueAt(result, each.path) : inLine(result, each)])
    .filter(([, value]) => value)
    .map(([label, value]) => make("p", { class: "hint" }, label && !value.startsWith(label) ? `${label} ` : "", value));
}

function linked(each) {
  return make(
    "p",
    { class: "linked" },
    "Belongs together: ",
    make("a", { href: `#${each.to}`, "data-to": each.to }, each.to),
    make("span", { class: "hint" }, ` — ${each.evidence}`),
  );
}

/** Say how many searches found the result; which, and at which place, on demand. */
function foundBy(result, searches) {
  const rows = result.found_by.map((each) => make("li", {}, `${words(each.strategy)}: place ${each.rank}`));
  return (
    rows.length > 0 &&
    make(
      "details",
      { class: "hint" },
      make("summary", {}, `Found by ${rows.length} of ${amount(Math.max(searches, rows.length), "search", "searches")}`),
      make("ul", {}, ...rows),
    )
  );
}

function actionsOf(kind, result, id, actions) {
  const box = make("input", {
    type: "checkbox",
    checked: actions.chosen(id),
    onchange: (event) => actions.compare(id, event.target),
  });
  const addresses = [...kind.facts, ...kind.details].filter((each) => each.format === "address");
  const links = addresses.map((each) => [valueAt(result, each.path), each]).filter(([address]) => address);
  return make(
    "p",
    { class: "actions" },
    kind.is_comparable && make("label", {}, box, " Compare"),
    kind.is_analyzable && make("button", { type: "button", onclick: () => actions.analyze(id) }, "Look closer"),
    kind.is_comparable && make("button", { type: "button", onclick: () => actions.like(id) }, "More like this"),
    ...links.map(([address, each]) => link(address, labelOf(each))),
  );
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
  const summary = overall?.[1] ? `${overall[0]} ${overall[1]} of 10` : "Scores";
  return make(
    "figure",
    { class: "scores" },
    radar(ofRadar, [{ name: id, result }], true),
    make("details", {}, make("summary", {}, summary), make("dl", {}, ...rows)),
  );
}
