// The question as the form has it, as a request and as the address of this page, so that a search can be shared.

import { find } from "./dom.js";
import { filtersOf, readFilters } from "./filters.js";
import { comparable, KINDS, kindOf } from "./kinds.js";
import { Problem } from "./problems.js";

/** A question for what is like a result: nothing can be ordered by its fit to it. */
export const LIKE = /^\s*like\s+([^\s/]+\/[^\s/]+|\S*github\.com\/\S+)\s*$/i;
/** The places to search in: all sources, or the papers and the passages of the library. */
export const WORLD = "world",
  LIBRARY = "library",
  PASSAGES = "passages";
const PATHS = { [LIBRARY]: "/library/search", [PASSAGES]: "/library/chunks" };
const USUAL_COUNT = 10;
/** The fields of a request that the form does not have, in the address as JSON. */
const UNSEEN = ["config", "library_only", "max_llm_calls", "max_seconds", "offset"];

/** The kinds that are to be found. */
export const chosenKinds = (form) => [...form.querySelectorAll("[name=kind]:checked")].map((box) => kindOf(box.value));

/**
 * Read the form as a path and the body to post, with what was taken away of the question (`ignore`), said of earlier
 * lists (`wishes`), searched for the last of these (`strategies`), and the fields that the form does not have (`rest`).
 */
export function requestOf(form, { ignore, wishes, strategies, rest }) {
  const query = form.q.value.trim();
  const count = Number(form.count.value || USUAL_COUNT);
  const where = form.where.value;
  const project = form.project.value && { project_id: form.project.value };
  if (where !== WORLD) return { path: PATHS[where], kinds: [], query, body: { query, [where === LIBRARY ? "limit" : "k"]: count, ...project } };
  const body = { ...rest, mode: form.mode.value };
  if (count !== USUAL_COUNT) body.max_results = count;
  if (ignore.length) body.ignore = ignore;
  if (wishes.length) body.feedback = wishes;
  if (wishes.length && strategies.length) body.previous_strategies = strategies;
  const liked = LIKE.exec(query)?.[1];
  if (liked && comparable) {
    const kinds = [comparable.name];
    return { path: "/like", kinds, query, body: { repo: liked, ...body, ...filtersOf(form, kinds) } };
  }
  const chosen = chosenKinds(form);
  const kinds = chosen.map((kind) => kind.name);
  if (chosen.some((kind) => kind.library_source)) Object.assign(body, project);
  return { path: "/search", kinds, query, body: { query, kinds, ...body, ...filtersOf(form, kinds) } };
}

/** The address of a search: its question, and its fields and filters; a list by its items, what is no text as JSON. */
function addressWith({ query, filters, ...fields }) {
  const parameters = new URLSearchParams({ q: query });
  for (const [name, value] of Object.entries({ ...fields, ...filters }))
    for (const each of [value].flat()) parameters.append(name, typeof each === "string" ? each : JSON.stringify(each));
  return `${location.pathname}?${parameters}`;
}

/** Write what the form asks as the address of this page; only that of a `saved` search has earlier strategies. */
export function addressOf(form, { kinds, query, body }, saved) {
  const { repo, limit, k, previous_strategies: strategies = [], ...fields } = body;
  const place = kinds.length ? { kinds } : { where: form.where.value };
  const count = limit ?? k ?? USUAL_COUNT;
  if (count !== USUAL_COUNT) place.max_results = count;
  return addressWith({ ...place, ...fields, query, ...(saved && { saved, previous_strategies: strategies }) });
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
export const addressOfSaved = ({ name, request }) => addressWith({ ...request, saved: name });

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

/** Fill the form from the address of this page; returns the round, null if it has no question. */
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
  const kinds = parameters.getAll("kinds");
  for (const box of form.querySelectorAll("[name=kind]"))
    box.checked = kinds.length ? kinds.includes(box.value) : box.value === KINDS[0].name;
  wrong.push(...kinds.filter((each) => !kindOf(each)).map((each) => `kinds=${each}`));
  take(form.mode, "mode", parameters.get("mode"), "balanced");
  take(form.count, "max_results", parameters.get("max_results"), USUAL_COUNT);
  readFilters(form, parameters, take);
  projects.show(parameters.get("project_id") ?? "");
  const rest = {};
  if (parameters.has("sources")) rest.sources = parameters.getAll("sources");
  for (const name of UNSEEN) if (parameters.has(name)) rest[name] = parsed(parameters.get(name));
  const strategies = parameters.getAll("previous_strategies").map(parsed);
  return { ignore: parameters.getAll("ignore"), wishes: parameters.getAll("feedback"), strategies, rest, saved: parameters.get("saved"), wrong };
}

/** Read a value of an address, which the server judges where it is no JSON. */
function parsed(given) {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** The key that the user typed, kept for this tab alone if the browser allows that; null or empty without one. */
export function typedKey() {
  const typed = find("key").value;
  try {
    if (typed) sessionStorage.setItem("goldpan-key", typed);
    return typed || sessionStorage.getItem("goldpan-key");
  } catch {
    return typed;
  }
}

/** The header with the key; a browser sends none beyond Latin-1. */
export function keyHeaders() {
  const key = typedKey();
  const [wrong] = /[^ -ÿ]/u.exec(key) ?? [];
  if (wrong) throw new Problem({ status: 403, detail: `No key has the character “${wrong}”.` });
  return key ? { "x-api-key": key } : {};
}
