// What an answer says beside its results: the rows of its sources, errors, warnings and notes.

import { make } from "./dom.js";

const FAILED = ["rate_limited", "timeout", "unavailable"];
const COLUMNS = ["Source", "Strategy", "Status", "Kept", "Asked", "Details"];

/** List what went wrong and what the reader should know; false if there is nothing. */
export function notices({ errors = [], warnings = [], notes = [] }) {
  const rows = [
    ...errors.map((each) => [`${each.stage}: ${each.error}`, "caveat"]),
    ...[...warnings, ...notes].map((each) => [each, "hint"]),
  ];
  return (
    rows.length > 0 &&
    make(
      "ul",
      { class: "notices", "aria-label": "Notices" },
      ...rows.map(([text, kind]) => make("li", { class: kind }, text)),
    )
  );
}

/** Make the rows of the sources; one that failed is said above them. */
export function sourceRows(rows) {
  const failed = rows.filter((row) => FAILED.includes(row.status));
  const names = [...new Set(failed.map((row) => row.source))].join(", ");
  const head = make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)));
  return [
    failed.length > 0 && make("p", { class: "caveat", role: "alert" }, `The answer is incomplete: ${names} failed.`),
    make(
      "details",
      { open: failed.length > 0 },
      make("summary", {}, `Sources: ${rows.length - failed.length} of ${rows.length} answered`),
      make(
        "div",
        { class: "wide", tabindex: 0, role: "region", "aria-label": "Sources" },
        make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows.map(line))),
      ),
    ),
  ];
}

function line(row) {
  const details = [
    row.detail,
    row.cached && `cached${row.age_s === null ? "" : `, ${row.age_s} s old`}`,
    row.retry_at && `again at ${row.retry_at.slice(11, 16)} UTC`,
  ];
  return make(
    "tr",
    { class: FAILED.includes(row.status) ? "failed" : null },
    make("th", { scope: "row" }, row.source),
    make("td", {}, row.strategy),
    make("td", {}, row.status.replaceAll("_", " ")),
    make("td", {}, String(row.kept)),
    make("td", {}, row.query ?? ""),
    make("td", {}, details.filter(Boolean).join("; ")),
  );
}
