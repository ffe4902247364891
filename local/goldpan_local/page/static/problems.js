// What went wrong, in words for people: what the server says, and what to do about it.

import { button, make } from "./dom.js";
import { sentence, words } from "./words.js";

const COUNT = "“Results of each kind”, under “Options”,";

/** The fields of a request as the form names them. */
const FIELDS = { query: "The question", repos: "The repositories", max_results: COUNT, limit: COUNT, k: COUNT };

/** A failed call: problem details of the server, or of this page. */
export class Problem extends Error {
  constructor(details) {
    super(details.detail || details.title || "The server gave no reason.");
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.known = details;
  }
}

/** Make a problem of a connection that failed; a call that the user ended stays as it is. */
export function lost(error) {
  if (error?.name === "AbortError") return error;
  return new Problem({
    title: "The connection to the server was lost. Check that the server still runs, then try again.",
  });
}

/** Make the paragraph of a problem; `again` repeats what failed, where that may help. */
export function problemText(error, again) {
  const text = error.message.replace(/[^.!?]$/, "$&.").replaceAll(/\brepos\.(\d): /g, (_, place) => `Repository ${Number(place) + 1} `);
  const [field] = text.split(": ", 1);
  const [, filter] = /^filters\.(\w+)/.exec(field) ?? [];
  const named = filter ? `“${sentence(words(filter))}”, under “Options”,` : FIELDS[field];
  const shown = named ? `${named} (${field}) ${text.slice(field.length + 2)}` : text;
  const wait = error.retryAfter && ` Try again in ${error.retryAfter} s.`;
  const other = field === "sources" && " Uncheck the kind that has none.";
  const key = error.status === 403 && " Type the API key of this server under “Options”.";
  return make("p", {}, make("strong", {}, "No answer. "), shown, wait, other, key, " ", again && error.status !== 400 && button("Try again", again));
}
