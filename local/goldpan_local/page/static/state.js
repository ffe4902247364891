// The question as the form has it, as a request and as the address of this page, so that a search can be shared.

import { find } from "./dom.js";
import { filtersOf, readFilters, writeFilters } from "./filters.js";
import { comparable, KINDS, kindOf } from "./kinds.js";

const LIKE = /^\s*like\s+([^\s/]+\/[^\s/]+|\S*github\.com\/\S+)\s*$/i;
/** The places to search in: all sources, or the papers and the passages of the library. */
export const WORLD = "world",
  LIBRARY = "library",
  PASSAGES = "passages";
const PATHS = { [LIBRARY]: "/library/search", [PASSAGES]: "/library/chunks" };
const USUAL_COUNT = 10;

/** Whether a question asks for what is like a result: nothing can be ordered by its fit to it. */
export const isLikeness = (question) => LIKE.test(question);

/** The kinds that are to be found. */
export const chosenKinds = (form) => [...form.querySelectorAll("[name=kind]:checked")].map((box) => kindOf(box.value));

/**
 * Read the form as a path and the body to post. `ignore` are the entries of an interpretation that were taken away,
 * `wishes` what was said of earlier lists, and `strategies` those of the answer that had the last of these lists.
 */
export function requestOf(form, { ignore = [], wishes = [], strategies = [] } = {}) {
  const query = form.q.value.trim();
  const count = Number(form.count.value);
  if (form.where.value !== WORLD) return libraryRequest(form, query, count);
  const body = { mode: form.mode.value };
  if (count !== USUAL_COUNT) body.max_results = count;
  if (form.dataset.sources) body.sources = form.dataset.sources.split(",");
  if (ignore.length) body.ignore = [...ignore];
  if (wishes.length) body.feedback = [...wishes];
  if (wishes.length && strategies.length) body.previous_strategies = strategies;
  const liked = LIKE.exec(query)?.[1];
  if (liked && comparable) {
    const kinds = [comparable.name];
    return { path: "/like", kinds, query, body: { repo: liked, ...body, ...filtersOf(form, kinds) } };
  }
  const chosen = chosenKinds(form);
  const kinds = chosen.map((kind) => kind.name);
  if (chosen.some((kind) => kind.library_source) && form.project.value) body.project_id = form.project.value;
  return { path: "/search", kinds, query, body: { query, kinds, ...body, ...filtersOf(form, kinds) } };
}

function libraryRequest(form, query, count) {
  const where = form.where.value;
  const body = { query, [where === LIBRARY ? "limit" : "k"]: count };
  if (form.project.value) body.project_id = form.project.value;
  return { path: PATHS[where], kinds: [], query, body };
}

/** Write what the form asks as the address of this page. */
export function addressOf(form, { path, kinds, query, body }) {
  const parameters = new URLSearchParams({ q: query });
  if (path.startsWith("/library/")) parameters.set("where", form.where.value);
  else {
    kinds.forEach((kind) => parameters.append("kinds", kind));
    parameters.set("mode", body.mode);
    writeFilters(parameters, body);
  }
  if (Number(form.count.value) !== USUAL_COUNT) parameters.set("max_results", form.count.value);
  if (body.project_id) parameters.set("project_id", body.project_id);
  if (form.dataset.saved) parameters.set("saved", form.dataset.saved);
  for (const name of ["sources", "ignore", "feedback"]) body[name]?.forEach((each) => parameters.append(name, each));
  return `${location.pathname}?${parameters}`;
}

/** Read which values of the facets of each list the address of this page has, as `Facets` keeps them. */
export function chosenIn() {
  const chosen = new Map();
  for (const each of new URLSearchParams(location.search).getAll("only")) {
    const [, key, value] = /^([^:]*:[^:]*):(.*)$/.exec(each) ?? [];
    if (key) chosen.set(key, (chosen.get(key) ?? new Set()).add(value));
  }
  return chosen;
}

/** The address of this page with these values of facets. */
export function addressWithChosen(chosen, address = location.pathname + location.search) {
  const [path, query] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("only");
  for (const [key, values] of chosen) for (const value of values) parameters.append("only", `${key}:${value}`);
  return `${path}?${parameters}`;
}

/** The address of a saved search. */
export function addressOfSaved({ name, request: { query, filters, ...request } }) {
  const parameters = new URLSearchParams({ q: query, saved: name });
  for (const [field, value] of Object.entries({ ...request, ...filters }))
    for (const each of [value].flat()) if (typeof each !== "object") parameters.append(field, each);
  return `${location.pathname}?${parameters}`;
}

/** What the address of this page compares: the names, none if it does not, and the question. */
export function comparisonIn() {
  const parameters = new URLSearchParams(location.search);
  return { repos: parameters.getAll("compare"), question: parameters.get("q") ?? "" };
}

/** The address of the search behind a comparison; a comparison of typed names has none. */
export function addressBehind() {
  const parameters = new URLSearchParams(location.search);
  const alone = parameters.has("compare") && !parameters.has("kinds") && !parameters.has("where");
  parameters.delete("compare");
  return alone || !parameters.size ? location.pathname : `${location.pathname}?${parameters}`;
}

/** Write a comparison as the address of this page, in front of the search if that has the same question. */
export function addressOfComparison(repos, question) {
  const behind = new URLSearchParams(addressBehind().slice(location.pathname.length));
  const own = new URLSearchParams(question ? { q: question } : {});
  const parameters = (behind.get("q") ?? "") === question ? behind : own;
  repos.forEach((repo) => parameters.append("compare", repo));
  return `${location.pathname}?${parameters}`;
}

/** Fill the form from the address of this page; returns the rest of the search, null if it has no question. */
export function readAddress(form, projects) {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.get("q")) return null;
  const wrong = []; // the values that no field takes
  const take = (field, name, given, usual) => {
    field.value = given || usual;
    if (!given || field.value) return;
    field.value = usual;
    wrong.push(`${name}=${given}`);
  };
  form.q.value = parameters.get("q");
  take(form.where, "where", parameters.get("where"), WORLD);
  if (parameters.get("library_only") === "true") form.where.value = LIBRARY;
  const kinds = parameters.getAll("kinds");
  for (const box of form.querySelectorAll("[name=kind]"))
    box.checked = kinds.length ? kinds.includes(box.value) : box.value === KINDS[0].name;
  wrong.push(...kinds.filter((each) => !kindOf(each)).map((each) => `kinds=${each}`));
  take(form.mode, "mode", parameters.get("mode"), "balanced");
  form.dataset.sources = parameters.getAll("sources").join(",");
  form.dataset.saved = parameters.get("saved") ?? "";
  take(form.count, "max_results", parameters.get("max_results"), USUAL_COUNT);
  readFilters(form, parameters, take);
  projects.show(parameters.get("project_id") ?? "");
  return { ignore: parameters.getAll("ignore"), wishes: parameters.getAll("feedback"), strategies: [], wrong };
}

/** The key that the user typed, kept for this tab alone. */
export function keyHeaders() {
  const typed = find("key").value;
  if (typed) sessionStorage.setItem("goldpan-key", typed);
  const key = typed || sessionStorage.getItem("goldpan-key");
  return key ? { "x-api-key": key } : {};
}
