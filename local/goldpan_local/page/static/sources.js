// What an answer has apart from its results: the rows of its sources, errors, warnings and notes.

import { make } from "./dom.js";
import { age, words } from "./words.js";

export const FAILED = ["rate_limited", "timeout", "unavailable"];
const ANSWERED = ["ok", "empty", "truncated"];
const COLUMNS = ["Source", "Strategy", "Status", "Details", "Kept", "Time", "Asked"];

/** List what went wrong and what the reader should know; false if there is nothing. */
export function notices({ errors = [], warnings = [], notes = [], sources = [] }) {
  const rows = [
    ...failures(sources).map((each) => [each, "caveat"]),
    ...errors.filter(({ error }) => !warnings.some((each) => each.includes(error))).map((each) => [each.error, "caveat"]),
    ...[...warnings, ...notes].map((each) => [each, "hint"]),
  ];
  if (!rows.length) return false;
  const [[first, kind]] = rows;
  const isAlone = rows.length === 1; // opened, its line has all of it
  return make(
    "details",
    { class: "notices" },
    make("summary", { class: kind }, make("span", {}, isAlone ? first : `${rows.length} notices: ${first}`)),
    !isAlone && make("ul", { "aria-label": "Notices" }, ...rows.slice(1).map(([text, each]) => make("li", { class: each }, text))),
  );
}

/** Say which sources failed, in one sentence; an empty list if none did. */
function failures(rows) {
  const names = new Set(rows.filter((row) => FAILED.includes(row.status)).map((row) => words(row.source)));
  return names.size ? [`The answer is incomplete: ${[...names].join(", ")} failed.`] : [];
}

/** Make the rows of the sources, open if one failed. */
export function sourceRows(rows) {
  const answered = rows.filter((row) => ANSWERED.includes(row.status)).length;
  const skipped = rows.filter((row) => row.status === "skipped").length;
  const head = make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)));
  return make(
    "details",
    { open: failures(rows).length > 0 },
    make("summary", {}, `Sources: ${answered} of ${rows.length} queries answered${skipped ? `, ${skipped} skipped` : ""}`),
    make(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Queries of the sources" },
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows.map(line))),
    ),
  );
}

function line(row) {
  const details = [
    row.detail,
    row.cached && `cached${row.age_s === null ? "" : ` ${age(row.age_s)}`}`,
    row.retry_at && `again at ${row.retry_at.slice(11, 16)} UTC`,
  ];
  return make(
    "tr",
    { class: FAILED.includes(row.status) ? "failed" : null },
    make("th", { scope: "row" }, words(row.source)),
    make("td", {}, words(row.strategy)),
    make("td", {}, words(row.status)),
    make("td", {}, details.filter(Boolean).join("; ")),
    make("td", {}, String(row.kept)),
    make("td", {}, row.duration_ms === null ? "" : `${(row.duration_ms / 1000).toFixed(1)} s`),
    make("td", {}, row.query ?? ""),
  );
}
