// Shows an answer: the sections with their facets, the links between them, the sources, warnings and exports.

import { lookCloser } from "./analysis.js";
import { paperCard, repositoryCard } from "./cards.js";
import { find, make, replace } from "./dom.js";
import { FORMATS, save } from "./exports.js";
import { filteredList } from "./filtered_list.js";
import { shareButton } from "./share.js";
import { notices, sourceRows } from "./sources.js";
import { amount, count, duration, leftOut } from "./words.js";

const KINDS = { repositories: "repository", papers: "paper" };
const EMPTY = "Nothing was found that fits. Ask in other words, or take away a part of what was understood.";

/** Show an answer; returns how many results it has, in words. `page` has what its cards can do: `comparison`, `like`. */
export function showAnswer(answer, page) {
  const kinds = Object.keys(KINDS).filter((kind) => answer[kind]);
  const sections = kinds.map((kind) => section(kind, answer, page));
  replace(find("results"), tools(answer), notices(answer), ...sections);
  find("sources").hidden = answer.sources.length === 0;
  replace(find("sources"), ...sourceRows(answer.sources));
  return kinds.map((kind) => amount(answer[kind].results.length, KINDS[kind])).join(" and ");
}

function tools(answer) {
  const cost = answer.usage.llm_calls
    ? `, ${amount(answer.usage.llm_calls, "call")} of the language model for $${answer.usage.cost_usd.toFixed(4)}`
    : "";
  const time = answer.cached ? "from the cache" : `in ${duration(answer.execution_time_ms.total)}`;
  return make(
    "p",
    { class: "tools" },
    make("span", { class: "hint" }, `Answered ${time}${cost}. `),
    ...shareButton(),
    ...Object.keys(FORMATS).map((format) =>
      make("button", { type: "button", onclick: () => save(answer, format) }, `Save as ${format === "markdown" ? "Markdown" : format.toUpperCase()}`),
    ),
  );
}

function section(kind, answer, page) {
  const found = answer[kind];
  const heading = make("h2", { id: `${kind}-title`, "aria-live": "polite" });
  const cards = found.results.map((result) => [result, card(kind, result, answer, page)]);
  const title = (shown, filtered) => {
    heading.textContent = `${kind === "papers" ? "Papers" : "Repositories"}: ${shown}${filtered}`;
  };
  return make(
    "section",
    { class: "kind", "aria-labelledby": heading.id },
    heading,
    make("p", { class: "hint" }, considered(found)),
    filteredList(kind, found, cards, EMPTY, title),
  );
}

/** Say how many candidates there were, and what left some of them out. */
function considered(found) {
  const dropped = Object.entries(found.dropped ?? {})
    .map(([rule, number]) => `${number} ${leftOut(rule)}`)
    .join(", ");
  const left = dropped ? `; left out: ${dropped}` : "";
  return `${count(found.total_candidates)} considered, ${found.shortlisted} of them looked at closely${left}.`;
}

function card(kind, result, answer, page) {
  const own = KINDS[kind];
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
          analyze: (chosen) => lookCloser(chosen, answer.query),
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
