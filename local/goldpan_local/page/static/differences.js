// The facts of repositories side by side: a column a repository, a row a fact.

import { link, make } from "./dom.js";
import { count, day, percent, words } from "./words.js";

const UNKNOWN = "unknown";

/** Return the table, and above it a box that leaves out the rows in which all are equal. */
export function sideBySide(results, ordered) {
  const lines = rows(ordered, results).map((row) => line(row, results));
  const table = make("table", {}, head(results), make("tbody", {}, ...lines));
  const only = make("input", {
    type: "checkbox",
    onchange: (event) => table.classList.toggle("differing", event.target.checked),
  });
  return [
    results.length > 1 && make("label", {}, only, " Only what differs"),
    make("div", { class: "wide aspects", tabindex: 0, role: "region", "aria-label": "Facts side by side" }, table),
  ];
}

function head(results) {
  const names = results.map((result) => make("th", { scope: "col" }, link(result.url, result.repo)));
  return make("thead", {}, make("tr", {}, make("td"), ...names));
}

/** List the names of the rows, each with what it says of a repository; without a question none fits it. */
function rows(ordered, results) {
  const fit = [
    ["Relevance", (result) => percent(result.relevance)],
    ["Why", (result) => result.reasoning],
  ];
  const scores = results[0].radar_chart_data.map(({ dimension }) => [
    words(dimension),
    (result) => result.radar_chart_data.find((each) => each.dimension === dimension)?.score ?? UNKNOWN,
  ]);
  return [
    ...(ordered ? fit : []),
    ["Overall", (result) => result.scores.overall ?? UNKNOWN],
    ...scores,
    ["Stars", (result) => count(result.stars)],
    ["Forks", (result) => count(result.forks)],
    ["Language", (result) => result.language ?? UNKNOWN],
    ["Licence", (result) => result.license ?? UNKNOWN],
    ["Last push", (result) => day(result.pushed_at) ?? UNKNOWN],
    ["Created", (result) => day(result.created_at) ?? UNKNOWN],
    ["Latest release", release],
    ["Archived", (result) => (result.archived ? "yes" : "no")],
    ["Caveats", (result) => (result.caveats ?? []).join("; ") || "none"],
  ];
}

function release(result) {
  const latest = result.latest_release;
  return latest ? `${latest.name ?? ""} ${day(latest.at) ?? ""}`.trim() : UNKNOWN;
}

function line([name, value], results) {
  const values = results.map((result) => String(value(result)));
  const equal = values.length > 1 && new Set(values).size === 1;
  return make(
    "tr",
    { class: equal ? "equal" : null },
    make("th", { scope: "row" }, name),
    ...values.map((each) => make("td", {}, each)),
  );
}
