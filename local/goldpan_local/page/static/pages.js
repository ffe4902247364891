// Fetches the further pages of an answer.

import { search } from "./client.js";

/** Fetch the page of an answer at an offset; returns the answer with the results of that page behind its own. */
export async function withPage(answer, asked, offset, signal) {
  const next = await search(asked.path, { ...asked.body, offset }, () => {}, signal);
  const join = (kind, name) => [...answer[kind][name], ...next[kind][name]];
  const sections = asked.kinds
    .filter((kind) => answer[kind] && next[kind])
    .map((kind) => [kind, { ...answer[kind], results: join(kind, "results"), weaker: join(kind, "weaker") }]);
  const known = new Set(answer.links.map((each) => JSON.stringify(each)));
  const links = [...answer.links, ...next.links.filter((each) => !known.has(JSON.stringify(each)))];
  return { ...answer, ...Object.fromEntries(sections), links };
}
