// Calls the server: a search whose stages come as it runs, and calls that give one response.

import SERVER from "./described_server.js";
import { follow } from "./polling.js";
import { lost, Problem } from "./problems.js";
import { keyHeaders } from "./state.js";

const JSON_BODY = { "content-type": "application/json" };
const PATIENCE = 27; // seconds that a server lets a client wait

/** Search, compare or liken; `on` is called with the name and the data of each event. Returns the answer. */
export async function search(path, request, on, signal) {
  const hasEvents = SERVER.sends_events && !(request.max_seconds > PATIENCE);
  const progress = hasEvents ? { accept: "text/event-stream" } : { prefer: "respond-async" };
  const headers = { ...JSON_BODY, ...progress, ...keyHeaders() };
  if (!hasEvents) on("started", {});
  const response = await call(path, { method: "POST", headers, body: JSON.stringify(request), signal });
  if (response.status === 202)
    return json(await follow(response, (address) => fetch(address, { headers: keyHeaders(), signal }), on, signal));
  if (!hasEvents) return json(response);
  if (!response.ok || !response.headers.get("content-type").startsWith("text/event-stream"))
    throw await problemOf(response);
  for await (const [name, data] of events(response.body)) {
    if (name === "answer") return data;
    if (name === "problem") throw new Problem({ retryAfter: data.retry_after, ...data });
    on(name, data);
  }
  throw lost();
}

/** Post a body of JSON; returns the response's JSON. The id is a header that no page of another site can send. */
export async function post(path, body, signal) {
  const headers = { ...JSON_BODY, "x-request-id": `page-${Date.now()}`, ...keyHeaders() };
  return json(await call(path, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

/** Get JSON. */
export async function get(path, signal) {
  return json(await call(path, { headers: keyHeaders(), signal }));
}

async function call(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    throw lost(error);
  }
}

async function json(response) {
  if (!response.ok) throw await problemOf(response);
  try {
    return await response.json();
  } catch (error) {
    throw lost(error);
  }
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
    const { value, done } = await reader.read().catch((error) => Promise.reject(lost(error)));
    if (done) return;
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop();
    for (const message of messages) {
      const [, name, data] = /^event: (.*?)\ndata: (.*)$/s.exec(message) ?? [];
      if (data) yield [name, JSON.parse(data)];
    }
  }
}
