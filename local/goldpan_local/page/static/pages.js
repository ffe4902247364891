// Fetches the further pages of an answer, and moves to what they add.

import { search } from "./client.js";
import { find, moveTo } from "./dom.js";

/** Fetch the page of an answer at an offset; returns the answer with the results of that page behind its own. */
export async function withPage(answer, asked, offset, signal) {
  const next = await search(asked.path, { ...asked.body, offset }, () => {}, signal);
  const join = (kind, name) => [...answer[kind][name], ...next[kind][name]];
  const sections = asked.kinds
    .filter((kind) => answer[kind] && next[kind])
    .map((kind) => [kind, { ...answer[kind], results: join(kind, "results"), weaker: join(kind, "weaker") }]);
  const links = new Map([...answer.links, ...next.links].map((each) => [JSON.stringify(each), each]));
  return { ...answer, ...Object.fromEntries(sections), links: [...links.values()] };
}

/** Call what shows further results, and move to the first of them that is not filtered out. */
export function moveToAdded(show) {
  const cards = () => [...document.querySelectorAll("#results .card")];
  const known = new Set(cards().map((card) => card.dataset.id));
  show();
  const added = cards().find((card) => !known.has(card.dataset.id) && card.closest(".kind").offsetParent);
  if (added) moveTo(added);
  else (find("more") ?? find("results")).focus();
}
