// Looks closer at one repository: statements by dimension, each with the address of its evidence.

import { post } from "./client.js";
import { showDialog } from "./compare.js";
import { link, make } from "./dom.js";
import { radar } from "./radar.js";
import { words } from "./words.js";

export async function lookCloser(result, query, button) {
  button.disabled = true;
  showDialog(result.repo, make("p", { role: "status" }, "Reading its README, releases, issues and dependencies …"));
  try {
    show(await post("/analyze-repo", { repo: result.repo, query }));
  } catch (error) {
    showDialog(result.repo, make("p", { role: "alert" }, error.message));
  } finally {
    button.disabled = false;
  }
}

function show(analysis) {
  const groups = Map.groupBy
    ? Map.groupBy(analysis.statements, (each) => each.dimension)
    : group(analysis.statements);
  const scores = Object.entries(analysis.scores)
    .filter(([name]) => name !== "overall")
    .map(([dimension, score]) => ({ dimension, score, max: 10 }));
  showDialog(
    analysis.repo,
    radar([{ name: analysis.repo, scores }]),
    ...[...groups]
      .map(([dimension, statements]) => [
        make(
          "h3",
          {},
          `${words(dimension)}${analysis.scores[dimension] ? `: ${analysis.scores[dimension]} of 10` : ""}`,
        ),
        make(
          "ul",
          {},
          ...statements.map((each) =>
            make("li", {}, each.statement, " ", each.evidence_url && link(each.evidence_url, "evidence")),
          ),
        ),
      ])
      .flat(),
    analysis.caveats.length > 0 && make("h3", {}, "Caveats"),
    make("ul", {}, ...analysis.caveats.map((each) => make("li", { class: "caveat" }, each))),
  );
}

function group(statements) {
  const groups = new Map();
  for (const each of statements) groups.set(each.dimension, [...(groups.get(each.dimension) ?? []), each]);
  return groups;
}
