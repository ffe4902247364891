// The kinds of results that this server finds, as it describes them: their names, attributes, filters and facets.

import KINDS from "./described_kinds.js"; // made by the server; the kind of a search that names none is the first

import { sentence } from "./words.js";

export { KINDS };

/** The kind whose results are compared, and searched for by their likeness; undefined if there is none. */
export const comparable = KINDS.find((kind) => kind.is_comparable);

export const kindOf = (name) => KINDS.find((kind) => kind.name === name);

/** The plural of a kind as the beginning of a heading. */
export const headingOf = (kind) => sentence(kind.plural);

/** The text by which a result is compared and linked; a kind that does not describe it has a name or an id. */
export const identityOf = (kind, result) => valueAt(result, kind.identity.path) ?? result.name ?? result.title;

/** What a result is called. */
export const titleOf = (kind, result) => valueAt(result, kind.title.path) ?? result.name ?? result.id;

/** The attributes of a kind that are scores from 0 to 10: those of the radar, or only the others. */
export const scoresOf = (kind, ofRadar) =>
  kind.columns.filter((column) => column.format === "score" && column.priority === 2 === ofRadar);

/** Read the value at a path with dots; null if it is not known. */
export function valueAt(result, path) {
  return path?.split(".").reduce((value, name) => value?.[name], result) ?? null;
}
