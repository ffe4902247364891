// The facts of results side by side: a column a result, a row a fact.

import { inTable, labelOf } from "./attributes.js";
import { link, make } from "./dom.js";
import { identityOf, valueAt } from "./kinds.js";
import { sentence } from "./words.js";

const RELEVANCE = "relevance";

/** Return the table, and above it a box that leaves out the rows in which all are equal. */
export function sideBySide(kind, results, ordered) {
  const lines = rows(kind, ordered).map((row) => line(row, results));
  const table = make("table", {}, head(kind, results), make("tbody", {}, ...lines));
  const only = make("input", {
    type: "checkbox",
    onchange: (event) => table.classList.toggle("differing", event.target.checked),
  });
  return [
    results.length > 1 && make("label", {}, only, " Only what differs"),
    make("div", { class: "wide aspects", tabindex: 0, role: "region", "aria-label": "Facts side by side" }, table),
  ];
}

function head(kind, results) {
  const names = results.map((result) =>
    make("th", { scope: "col" }, link(valueAt(result, kind.address.path), identityOf(kind, result))),
  );
  return make("thead", {}, make("tr", {}, make("td"), ...names));
}

/** List the names of the rows, each with what it says of a result; without a question none fits it. */
function rows(kind, ordered) {
  const why = { name: "why", path: "reasoning", format: "text" };
  const attributes = [...kind.columns, ...kind.facts, ...kind.details].filter(
    (each) => each.name !== RELEVANCE && each.format !== "address",
  );
  const fit = ordered ? [...kind.columns.filter((each) => each.name === RELEVANCE), why] : [];
  return [
    ...[...fit, ...attributes].map((each) => [labelOf(each), (result) => inTable(result, each)]),
    ["caveats", (result) => (result.caveats ?? []).join(" ") || "none"],
  ];
}

function line([name, value], results) {
  const values = results.map((result) => String(value(result)));
  const equal = values.length > 1 && new Set(values).size === 1;
  return make(
    "tr",
    { class: equal ? "equal" : null },
    make("th", { scope: "row" }, sentence(name)),
    ...values.map((each) => make("td", {}, each)),
  );
}
