// A result as a card: what it is, how well it fits and why, with the evidence.

import { link, make } from "./dom.js";
import { radar } from "./radar.js";
import { ago, count, day, DIMENSIONS, percent, starsOf, words } from "./words.js";

/** Make the card of a repository. `actions` has `compare`, `analyze`, `like` and `chosen`. */
export function repositoryCard(result, links, actions) {
  const id = result.repo;
  const facts = [
    result.language,
    result.license ?? "no licence known",
    starsOf(result),
    result.pushed_at && `pushed ${ago(result.pushed_at)}`,
    result.archived && "archived",
  ];
  const box = make("input", {
    type: "checkbox",
    checked: actions.chosen(id),
    onchange: (event) => actions.compare(result, event.target),
  });
  return make(
    "article",
    { class: "card", "data-id": id, "aria-label": id },
    make(
      "div",
      { class: "text" },
      title(link(result.url, id), result.relevance),
      make("p", { class: "said" }, result.description ?? "No description."),
      make("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      why(result),
      lists(result, links),
      make(
        "p",
        { class: "actions" },
        make("label", {}, box, " Compare"),
        make("button", { type: "button", onclick: () => actions.analyze(result) }, "Look closer"),
        make("button", { type: "button", onclick: () => actions.like(result) }, "More like this"),
        link(result.homepage, result.homepage ? "Home page" : ""),
      ),
    ),
    make(
      "figure",
      { class: "scores" },
      radar([{ name: id, scores: result.radar_chart_data }], true),
      scoreList(result),
    ),
  );
}

/** Make the card of a paper. */
export function paperCard(result, links) {
  const authors =
    result.authors.length > 4
      ? `${result.authors.slice(0, 3).join(", ")} and ${result.authors.length - 3} more`
      : result.authors.join(", ");
  const facts = [
    authors,
    result.venue,
    result.year,
    result.citations !== null && result.citations !== undefined && `${count(result.citations)} citations`,
    result.open_access && "open access",
  ];
  const own = result.found_by.some((each) => each.strategy === "library" || each.strategy === "hybrid");
  return make(
    "article",
    { class: "card", "data-id": result.id, "aria-label": result.title },
    make(
      "div",
      { class: "text" },
      title(link(result.url, result.title), result.relevance, own && make("span", { class: "own" }, "your library")),
      make("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      result.abstract &&
        make("details", {}, make("summary", {}, "Abstract"), make("p", { class: "said" }, result.abstract)),
      why(result),
      lists(result, links),
      make(
        "p",
        { class: "actions" },
        result.pdf_url && link(result.pdf_url, "PDF"),
        ...Object.entries(result.ids ?? {})
          .filter(([, value]) => typeof value === "string")
          .slice(0, 4)
          .map(([system, value]) => make("code", {}, `${system}:${value}`)),
      ),
    ),
  );
}

/** Make a card of what is known before the order is. */
export const earlyCard = (preview) =>
  make(
    "article",
    { class: "card early" },
    make("h3", {}, link(preview.url, preview.title)),
    preview.text && make("p", { class: "said" }, preview.text),
  );

function title(name, relevance, mark) {
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

function lists(result, links) {
  const found = result.found_by.map((each) => `${words(each.strategy)} (no. ${each.rank})`).join(", ");
  return [
    result.note && make("p", { class: "hint" }, result.note),
    ...(result.caveats ?? []).map((each) => make("p", { class: "caveat" }, each)),
    ...links.map((each) =>
      make(
        "p",
        { class: "linked" },
        "Belongs together: ",
        make("a", { href: `#${each.to}`, "data-to": each.to }, each.to),
        make("span", { class: "hint" }, ` — ${each.evidence}`),
      ),
    ),
    make("p", { class: "hint" }, `Found by ${found}`),
  ];
}

/** Make the list of the scores: what each measures, and the facts that are known. */
function scoreList(result) {
  const known = {
    maturity: [result.created_at && `created ${day(result.created_at)}`, starsOf(result)],
    activity: [result.pushed_at && `last push ${day(result.pushed_at)}`],
    documentation: [result.homepage && "has a home page"],
    community: [(result.forks ?? null) !== null && `${count(result.forks)} forks`, starsOf(result)],
    ease_of_use: [],
    maintenance: [
      result.latest_release &&
        `latest release ${result.latest_release.name ?? ""} ${day(result.latest_release.at) ?? ""}`,
      result.archived && "archived",
    ],
  };
  const rows = result.radar_chart_data.flatMap(({ dimension, score, max }) => [
    make("dt", {}, `${words(dimension)}: ${score === null ? "unknown" : `${score} of ${max}`}`),
    make("dd", {}, DIMENSIONS[dimension], " ", make("em", {}, (known[dimension] ?? []).filter(Boolean).join(", "))),
  ]);
  const overall = result.scores?.overall;
  return make(
    "details",
    {},
    make("summary", {}, overall === null || overall === undefined ? "Scores" : `Overall ${overall} of 10`),
    make("dl", {}, ...rows),
  );
}
