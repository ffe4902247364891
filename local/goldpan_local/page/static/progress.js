// Shows the stages of a running search, and what was found before it is ranked.

import { earlyCard } from "./cards.js";
import { find, make, replace } from "./dom.js";

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
    if (data.preview?.length) this.early(data);
    return this.line(data.message, data.kind, data.execution_time_ms.total);
  }

  line(message, kind, milliseconds) {
    const time = milliseconds ? ` ${(milliseconds / 1000).toFixed(1)} s` : "";
    find("stages").append(
      make("li", {}, message, make("span", { class: "hint" }, `${kind ? ` ${kind}` : ""}${time}`)),
    );
    find("status").textContent = message;
  }

  early(data) {
    const id = `early-${data.kind}`;
    find(id)?.remove();
    const cards = data.preview.map(earlyCard);
    find("results").append(
      make(
        "section",
        { id, class: "early", "aria-label": `${data.kind}, not ranked yet` },
        make("h2", {}, `${data.kind}, not ranked yet`),
        ...cards,
      ),
    );
  }
}
