// Shows the stages of a running search, and what was found before it is ranked.

import { earlyCard } from "./cards.js";
import { kindOf, headingOf } from "./kinds.js";
import { find, make, replace } from "./dom.js";
import { duration } from "./words.js";

export const STAGES = ["translate", "scout", "shortlist", "score", "rank", "assemble"];

export class Progress {
  constructor(kinds) {
    this.done = 0;
    this.all = kinds.length * (STAGES.length - 1) + 1;
    replace(find("stages"));
    find("progress").hidden = false;
    find("bar").removeAttribute("value");
  }

  /** Show an event. */
  add(name, data) {
    if (name === "started") return this.line("Asked", null, 0);
    this.done += 1;
    find("bar").value = (100 * this.done) / this.all;
    if (data.preview?.length) showEarly(data.kind, data.preview);
    return this.line(data.message, data.kind, data.execution_time_ms.total);
  }

  line(message, kind, milliseconds) {
    const named = kind && !message.includes(kind) && kind;
    const notes = [named, milliseconds && duration(milliseconds)].filter(Boolean).join(", ");
    find("stages").append(make("li", {}, message, make("span", { class: "hint" }, notes && ` (${notes})`)));
    find("status").textContent = message;
  }
}

/** Show what was found of a kind before its order is known. */
export function showEarly(kind, previews) {
  const id = `early-${kind}`;
  const title = `${headingOf(kindOf(kind))} so far, not in their final order`;
  find(id)?.remove();
  find("results").append(
    make(
      "section",
      { id, class: "early", "aria-label": title },
      make("h2", {}, title),
      ...previews.map(earlyCard),
    ),
  );
}
