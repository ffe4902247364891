// Follows a search of a server that sends no events: asks for its stages once a second, until there is the answer.

import { lost } from "./problems.js";

const USUAL_WAIT = 1,
  PATIENCE = 120; // seconds without a response of the server, after which the connection is lost
/** Problems of the gateway, which say nothing of the search: too many requests, or a table that does not respond. */
const PASSING = new Set(["urn:goldpan:problem:throttled", "urn:goldpan:problem:unreadable"]);

/**
 * Ask for a search that was `accepted`, until it has ended; `ask` fetches a path, and `on` is called as for events.
 * Returns the last response: the answer, or a problem. A lost connection ends nothing, since the search goes on.
 */
export async function follow(accepted, ask, on, signal) {
  const { id } = await accepted.clone().json(); // the location begins with the stage of an API, unlike the paths of the page
  const shown = new Set();
  let response = accepted,
    heard = Date.now();
  for (;;) {
    await pause(Number(response.headers.get("retry-after")) || USUAL_WAIT, signal);
    try {
      response = await ask(`/search/${id}`);
      const body = await response.clone().json(); // what is no JSON comes from something in between
      heard = Date.now();
      if (response.status !== 202 && !PASSING.has(body.type)) return response;
      for (const each of body.stages ?? []) {
        const name = `${each.kind} ${each.message}`; // a message names its round; kinds take turns
        if (!shown.has(name)) on("stage", each);
        shown.add(name);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      if (Date.now() - heard > PATIENCE * 1000) throw lost(error);
    }
  }
}

/** Wait some seconds; a cancelled search waits no longer. */
const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
