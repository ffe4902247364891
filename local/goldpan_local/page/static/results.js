// Shows an answer: the sections with their facets, the links between them, the sources, warnings and exports.

import { lookCloser } from "./analysis.js";
import { paperCard, repositoryCard } from "./cards.js";
import { find, make, replace } from "./dom.js";
import { FORMATS, save } from "./exports.js";
import { Facets } from "./facets.js";
import { shareButton } from "./share.js";
import { notices, sourceRows } from "./sources.js";
import { count } from "./words.js";

const KINDS = ["repositories", "papers"];

/** Show an answer. `page` has what its cards can do: `comparison` and `like`. */
export function showAnswer(answer, page) {
  const sections = KINDS.filter((kind) => answer[kind]).map((kind) => section(kind, answer, page));
  replace(find("results"), tools(answer), notices(answer), ...sections);
  find("sources").hidden = answer.sources.length === 0;
  replace(find("sources"), ...sourceRows(answer.sources));
}

function tools(answer) {
  const cost = answer.usage.llm_calls
    ? `, ${answer.usage.llm_calls} calls of the language model for $${answer.usage.cost_usd.toFixed(4)}`
    : "";
  const time = answer.cached ? "from the cache" : `in ${(answer.execution_time_ms.total / 1000).toFixed(1)} s`;
  return make(
    "p",
    { class: "tools" },
    make("span", { class: "hint" }, `Answered ${time}${cost}. `),
    ...shareButton(),
    ...Object.keys(FORMATS).map((format) =>
      make("button", { type: "button", onclick: () => save(answer, format) }, `Save as ${format}`),
    ),
  );
}

function section(kind, answer, page) {
  const found = answer[kind];
  const list = make("div", { class: "cards" });
  const heading = make("h2", { id: `${kind}-title` });
  const cards = found.results.map((result) => [result, card(kind, result, answer, page)]);
  const show = () => {
    const admitted = cards.filter(([result]) => facets.admits(result)).map(([, element]) => element);
    const hidden = cards.length - admitted.length;
    heading.textContent = `${kind === "papers" ? "Papers" : "Repositories"}: ${admitted.length}${hidden ? ` (${hidden} filtered out)` : ""}`;
    replace(
      list,
      ...(admitted.length
        ? admitted
        : [make("p", {}, cards.length ? "No result has all that you chose." : "Nothing was found that fits.")]),
    );
  };
  const facets = new Facets(kind, found, show);
  show();
  const dropped = Object.entries(found.dropped ?? {})
    .map(([rule, number]) => `${number} ${rule.replaceAll("_", " ")}`)
    .join(", ");
  const considered = `${count(found.total_candidates)} candidates, ${found.shortlisted} looked at closely${dropped ? `; left out: ${dropped}` : ""}`;
  return make(
    "section",
    { class: "kind", "aria-labelledby": heading.id },
    heading,
    make("p", { class: "hint" }, considered),
    make("div", { class: "columns" }, facets.element, list),
  );
}

function card(kind, result, answer, page) {
  const own = kind === "papers" ? "paper" : "repository";
  const id = kind === "papers" ? result.id : result.repo;
  const links = answer.links
    .filter((each) => each[own] === id)
    .map((each) => ({ to: own === "paper" ? each.repository : each.paper, evidence: each.evidence }));
  const element =
    kind === "papers"
      ? paperCard(result, links)
      : repositoryCard(result, links, {
          chosen: (name) => page.comparison.has(name),
          compare: (chosen, box) => page.comparison.choose(chosen, box),
          analyze: (chosen, button) => lookCloser(chosen, answer.query, button),
          like: page.like,
        });
  element.querySelectorAll("[data-to]").forEach((anchor) => anchor.addEventListener("click", follow));
  return element;
}

/** Move to the card that a link names. */
function follow(event) {
  event.preventDefault();
  const target = document.querySelector(`[data-id="${CSS.escape(event.target.dataset.to)}"]`);
  if (!target) return;
  target.tabIndex = -1;
  target.focus();
  target.scrollIntoView({ block: "start" });
}
