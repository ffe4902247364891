// Shows the stages of a running search in one line, and what was found before it is ranked.

import { earlyCard } from "./cards.js";
import { kindOf, headingOf } from "./kinds.js";
import { find, hint, make, replace } from "./dom.js";
import { duration } from "./words.js";

export const STAGES = ["translate", "scout", "shortlist", "score", "rank", "assemble"];
const MOVING_MS = 300;

export class Progress {
  constructor(kinds) {
    this.done = 0;
    this.several = kinds.length > 1;
    find("results").classList.toggle("several", this.several);
    this.all = kinds.length * (STAGES.length - 1) + 1;
    replace(find("stages"));
    find("progress").hidden = false;
    find("bar").removeAttribute("value");
  }

  /** Show an event. */
  add(name, { kind, message, preview, execution_time_ms: times }) {
    if (name === "started") return;
    this.done += 1;
    find("bar").value = (100 * this.done) / this.all;
    if (preview?.length) showEarly(kind, preview);
    const found = kindOf(kind);
    const named = this.several && found && !message.match(`${found.singular}|${found.plural}`) && kind;
    const notes = [named, times?.total && duration(times.total)].filter(Boolean).join(", ");
    find("stages").append(make("li", {}, message, hint("span", notes && ` ${notes}`)));
    find("status").textContent = message;
  }
}

/** Show what was found of a kind before its order is known. */
export function showEarly(kind, previews) {
  const id = `early-${kind}`;
  const title = `${headingOf(kindOf(kind))} so far, not in their final order`;
  find(id)?.remove();
  find("results").append(
    make("section", { id, class: "early", "aria-label": title }, make("h2", {}, title), ...previews.map(earlyCard)),
  );
}

const rows = () => [...document.querySelectorAll("#results .card")].filter((card) => card.offsetParent);

/** Call what replaces the rows; those that stay move to their places, unless the reader wants no motion. */
export function moveRows(replaceRows) {
  const before = new Map(rows().map((card) => [card.getAttribute("aria-label"), card.getBoundingClientRect()]));
  replaceRows();
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const card of rows()) {
    const [from, to] = [before.get(card.getAttribute("aria-label")), card.getBoundingClientRect()];
    const start = from && { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` };
    if (start) card.animate([start, {}], { duration: MOVING_MS, easing: "ease-out" });
  }
}
