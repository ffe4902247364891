// Looks closer at one repository: statements by dimension, each with the address of its evidence.

import { post } from "./client.js";
import { inDialog, showDialog } from "./dialog.js";
import { link, make } from "./dom.js";
import { comparable, scoresOf } from "./kinds.js";
import { radar } from "./radar.js";
import { FAILED } from "./sources.js";
import { percent, words } from "./words.js";

/** Analyze a result, whose fit and scores stay as they are; closing the dialog ends the call. */
export function lookCloser(result, query) {
  const waiting = make("p", { role: "status" }, "Reading its README, releases, issues and dependencies …");
  return inDialog(result.repo, [waiting], (signal) => post("/analyze-repo", { repo: result.repo, query }, signal), (analysis) => show(analysis, result));
}

function show(analysis, result) {
  const failed = analysis.sources
    .filter((row) => [...FAILED, "skipped"].includes(row.status))
    .map((row) => `${row.source}: ${row.detail}`);
  const caveats = [...analysis.caveats.filter((each) => !each.startsWith("Relevance and scores")), ...new Set(failed)];
  showDialog(
    analysis.repo,
    make("p", {}, `Fits the question: ${percent(result.relevance)}. ${result.reasoning}`),
    analysis.summary.map((point) => make("p", {}, point.text)),
    radar(scoresOf(comparable, true), [{ name: analysis.repo, result }]),
    caveats.length > 0 && [make("h3", {}, "Caveats"), make("ul", {}, caveats.map((each) => make("li", { class: "caveat" }, each)))],
    [...group(analysis.statements)].flatMap(([dimension, statements]) => [
      make("h3", {}, words(dimension), result.scores[dimension] !== null && `: ${result.scores[dimension]} of 10`),
      make("ul", {}, statements.map(row)),
    ]),
  );
}

function row(each) {
  return make("li", {}, each.statement, " ", each.evidence_url && link(each.evidence_url, "evidence", { "aria-label": `evidence: ${each.statement}` }));
}

function group(statements) {
  const groups = new Map();
  for (const each of statements) groups.set(each.dimension, [...(groups.get(each.dimension) ?? []), each]);
  groups.delete("fit");
  return groups;
}
