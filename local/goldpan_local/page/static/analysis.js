// Looks closer at one repository: statements by dimension, each with the address of its evidence.

import { post } from "./client.js";
import { inDialog, showDialog } from "./dialog.js";
import { link, make } from "./dom.js";
import { comparable, scoresOf } from "./kinds.js";
import { radar } from "./radar.js";
import { percent, words } from "./words.js";

const FAILED = ["rate_limited", "timeout", "unavailable", "skipped"];

/** Analyze a repository; closing the dialog ends the call. */
export function lookCloser(name, query) {
  const waiting = make("p", { role: "status" }, "Reading its README, releases, issues and dependencies …");
  return inDialog(name, [waiting], (signal) => post("/analyze-repo", { repo: name, query }, signal), show);
}

function show(analysis) {
  const failed = analysis.sources
    .filter((row) => FAILED.includes(row.status))
    .map((row) => `${row.source}: ${row.detail}`);
  const caveats = [...analysis.caveats, ...failed];
  const fit = analysis.relevance === null ? [] : [make("p", {}, `Fits the question: ${percent(analysis.relevance)}`)];
  showDialog(
    analysis.repo,
    ...fit,
    ...analysis.summary.map((point) => make("p", {}, point.text)),
    radar(scoresOf(comparable, true), [{ name: analysis.repo, result: analysis }]),
    caveats.length > 0 && make("h3", {}, "Caveats"),
    caveats.length > 0 && make("ul", {}, ...caveats.map((each) => make("li", { class: "caveat" }, each))),
    ...[...group(analysis.statements)].flatMap(([dimension, statements]) => [
      make("h3", {}, heading(dimension, analysis.scores[dimension])),
      make("ul", {}, ...statements.map(row)),
    ]),
  );
}

function heading(dimension, score) {
  return score === null || score === undefined ? words(dimension) : `${words(dimension)}: ${score} of 10`;
}

function row(each) {
  return make("li", {}, each.statement, " ", each.evidence_url && link(each.evidence_url, "evidence", { "aria-label": `evidence: ${each.statement}` }));
}

function group(statements) {
  const groups = new Map();
  for (const each of statements) groups.set(each.dimension, [...(groups.get(each.dimension) ?? []), each]);
  return groups;
}
