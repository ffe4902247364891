// Calls the server: a search whose events come as it runs, and calls that give one response.

import { keyHeaders } from "./state.js";

export class Problem extends Error {
  constructor(details) {
    super(details.detail || details.title || "The server gave no reason.");
    this.status = details.status;
    this.retryAfter = details.retryAfter;
  }
}

/** Search, compare or liken; `on` is called with the name and the data of each event. Returns the answer. */
export async function search(path, request, on, signal) {
  const headers = { "content-type": "application/json", accept: "text/event-stream", ...keyHeaders() };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(request), signal });
  if (!response.ok || !response.headers.get("content-type").startsWith("text/event-stream"))
    throw await problemOf(response);
  for await (const [name, data] of events(response.body)) {
    if (name === "answer") return data;
    if (name === "problem") throw new Problem(data);
    on(name, data);
  }
  throw new Problem({ title: "The connection to the server ended before the answer came." });
}

/** Post a body of JSON; returns the response's JSON. */
export async function post(path, body, signal) {
  const headers = { "content-type": "application/json", ...keyHeaders() };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** Get JSON. */
export async function get(path, signal) {
  const response = await fetch(path, { headers: keyHeaders(), signal });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

async function problemOf(response) {
  const retryAfter = response.headers.get("retry-after");
  try {
    return new Problem({ status: response.status, retryAfter, ...(await response.json()) });
  } catch {
    return new Problem({ status: response.status, title: `The server answered ${response.status}.` });
  }
}

/** Yield the events of a stream: their names, and their data as JSON. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop();
    for (const message of messages) {
      const lines = message.split("\n");
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice(6))
        .join("\n");
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}
