// The reader's own papers: the projects to choose from, and what a search of them found.

import { get } from "./client.js";
import SERVER from "./described_server.js";
import { button, find, hint, link, make, replace } from "./dom.js";
import { save } from "./exports.js";
import { filteredList } from "./filtered_list.js";
import { shareButton } from "./share.js";
import { notices } from "./sources.js";
import { chosenKinds, LIBRARY, WORLD } from "./state.js";
import { amount, percent, sentence } from "./words.js";

const EMPTY = { world: "none", passages: "all projects" };
const FACETS = {
  "papers of your library": [
    { label: "Year", path: "year", by_value: true },
    { label: "Venue", path: "venue" },
    { label: "Author", path: "authors" },
    { label: "Tag", path: "tags" },
  ],
  passages: [{ label: "Project", path: "project" }, { label: "Paper", path: "citation" }],
};
const USUAL = "default";

/** The projects of the library, as the form offers them. */
export class Projects {
  constructor(form) {
    this.form = form;
    this.names = [];
  }

  /** Ask the server which there are, and what else the page begins with; a server with a key refuses the first visit. */
  async load(signal) {
    const start = SERVER.has_page_paths ? await get("/page/start", signal) : { projects: [] };
    this.names = start.projects;
    this.show();
    return start;
  }

  /** Whether there is one to search. */
  async areThere(signal) {
    if (!this.names.length) await this.load(signal);
    return this.names.length > 0;
  }

  /** Offer what the place to search in allows; `wanted` is chosen if it can be. */
  show(wanted = this.form.project.value) {
    const where = this.form.where.value;
    const names = wanted && !this.names.includes(wanted) ? [wanted, ...this.names] : this.names;
    const empty = where === LIBRARY ? [] : [make("option", { value: "" }, EMPTY[where])];
    replace(this.form.project, ...empty, ...names.map((name) => make("option", { value: name }, name)));
    this.form.project.value = wanted || (where !== LIBRARY ? "" : names.includes(USUAL) ? USUAL : (names[0] ?? ""));
    const isUnused = where === WORLD && !chosenKinds(this.form).some((kind) => kind.library_source);
    find("project-box").hidden = names.length === 0 || isUnused;
  }
}

/** Say that there is nothing to search, and which command collects papers. */
export const nothingCollected = () =>
  make(
    "p",
    {},
    make("strong", {}, "No papers collected yet. "),
    make("code", {}, "goldpan library import PATH --project NAME"),
    " reads a bibliography, papers.json, JSON Lines or a folder of notes on the machine of this server.",
  );

/** Show the papers or the passages that were found, of `chosen` values; returns how many, in words. */
export function showLibrary(answer, body, chosen) {
  const place = body.project_id ?? "all projects";
  const found = answer.chunks ?? answer.results;
  const cards = found.map((each) => [each, answer.chunks ? passageCard(each) : paperCard(each, body)]);
  const all = answer.count > cards.length ? ` of ${answer.count}` : "";
  const noun = answer.chunks ? "passage" : "paper";
  const name = answer.chunks ? "passages" : "papers of your library";
  const empty = `Nothing in ${place} matches. Ask in other words, or choose another project.`;
  const section = filteredList(
    { id: "library-title", title: `${sentence(noun)}s of ${place}`, of: all, name, facets: FACETS[name], section: { results: found }, cards, empty, chosen },
    answer.encoder && hint("p", `Compared by words and by meaning (${answer.encoder}).`),
  );
  const tools = make(
    "p",
    { class: "tools" },
    ...shareButton(),
    button("Save as JSON", () => save(answer, "json")),
  );
  replace(find("results"), tools, notices(answer), section);
  return all ? `${cards.length}${all} ${noun}s` : amount(cards.length, noun, `${noun}s`);
}

function paperCard(row, body) {
  const facts = [row.authors.join(", "), row.venue, row.year];
  return make(
    "article",
    { class: "card", "data-id": row.id, "aria-label": row.title },
    make("h3", {}, link(row.url, row.title), fit(row.relevance, `, score ${row.score}`)),
    make("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    row.excerpt && make("p", { class: "quote" }, ...marked(row.excerpt)),
    row.tags.length > 0 && hint("p", `Tags: ${row.tags.join(", ")}`),
    hint("p", "In your library as ", make("code", {}, `${body.project_id}/${row.id}`)),
  );
}

function passageCard(chunk) {
  const place = `${chunk.project}/${chunk.document}`;
  return make(
    "article",
    { class: "card", "data-id": chunk.document, "aria-label": chunk.citation },
    make("h3", {}, chunk.citation, fit(chunk.score, "")),
    make("blockquote", {}, chunk.text),
    hint("p", "In your library as ", make("code", {}, place), `, characters ${chunk.start} to ${chunk.end}`),
  );
}

function fit(share, more) {
  const bar = make("meter", { min: 0, max: 1, value: share, "aria-label": "relevance" });
  return make("span", { class: "relevance", title: "How well it fits the question" }, bar, ` ${percent(share)}${more}`);
}

/** Mark the words between ** as matched ones. */
const marked = (excerpt) => excerpt.split("**").map((part, place) => (place % 2 ? make("mark", {}, part) : part));
