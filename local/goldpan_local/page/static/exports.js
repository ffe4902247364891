// Writes results in the formats of the server, as the command does: into a file, or to paste.

import { post } from "./client.js";
import SERVER from "./described_server.js";
import { button } from "./dom.js";
import { KINDS } from "./kinds.js";

const NAMES = { csv: "CSV", markdown: "Markdown", json: "JSON", bibtex: "BibTeX", ris: "RIS", "csl-json": "CSL JSON" };

export const nameOf = (format) => NAMES[format] ?? format;

/** The formats of every answer, and those of a kind alone. */
export const COMMON = SERVER.has_page_paths ? ["csv", "markdown", "json"] : ["json"];
export const ownFormats = (kind) => (SERVER.has_page_paths ? kind.formats.map((each) => each.name) : []);

/** Whether the server adds results of a kind to a library. */
export const keepsPapers = (kind) => SERVER.has_page_paths && kind.library_source;

/** Write an answer in a format; returns the text and a name for its file. */
export async function written(answer, format) {
  if (format !== "json") return post(`/page/export?format=${format}`, answer);
  const name = (answer.query ?? "passages").toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  const day = (answer.answered_at ?? new Date().toISOString()).slice(0, 10);
  return { text: JSON.stringify(answer, null, 2), name: `${name}-${day}.json` };
}

/** Write an answer in a format, and give it to the browser as a file. */
export async function save(answer, format) {
  const { text, name } = await written(answer, format);
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** Make the buttons that save `what`, which `answer` returns, in formats. */
export const saveButtons = (formats, what, answer, say) =>
  formats.map((each) => button(nameOf(each), () => save(answer(), each).catch((error) => say(error.message)), { "aria-label": `Save ${what}as ${nameOf(each)}` }));

/** The answer with some of its results alone; `isWanted` is called with each. */
export function withOnly(answer, isWanted) {
  const sections = KINDS.filter((kind) => answer[kind.name]).map(({ name }) => {
    const { results, weaker, ...section } = answer[name];
    return [name, { ...section, results: [...results, ...weaker].filter(isWanted), weaker: [] }];
  });
  return { ...answer, ...Object.fromEntries(sections) };
}
