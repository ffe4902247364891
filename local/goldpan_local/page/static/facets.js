// Filters the shown results: each facet lists its values with how many of the shown results have them.

import { make, replace } from "./dom.js";

const STARS = [
  [0, "under 100"],
  [100, "100 to 1,000"],
  [1000, "1,000 to 10,000"],
  [10000, "10,000 and more"],
];
const PUSHED = [
  [31, "in the last month"],
  [183, "in half a year"],
  [365, "in a year"],
  [Infinity, "longer ago"],
];
const MAX_VALUES = 8;

const FACETS = {
  repositories: {
    Language: (result) => [result.language ?? "unknown"],
    Licence: (result) => [result.license ?? "unknown"],
    Stars: (result) => [STARS.findLast(([least]) => (result.stars ?? 0) >= least)[1]],
    "Last push": (result) => [
      result.pushed_at
        ? PUSHED.find(([days]) => (Date.now() - Date.parse(result.pushed_at)) / 86400000 <= days)[1]
        : "unknown",
    ],
  },
  papers: {
    Year: (result) => [String(result.year ?? "unknown")],
    Venue: (result) => [result.venue ?? "unknown"],
    Author: (result) => result.authors,
    Theme: (result, section) =>
      (section.facets?.key_themes ?? [])
        .map((each) => each.value)
        .filter((theme) => `${result.title} ${result.abstract ?? ""}`.toLowerCase().includes(theme.toLowerCase())),
  },
};

/** The chosen values of one list of results. */
export class Facets {
  constructor(kind, section, changed) {
    this.kind = kind;
    this.section = section;
    this.changed = changed;
    this.chosen = new Map();
    this.element = make("div", { class: "facets", role: "group", "aria-label": `Filter ${kind}` });
    this.show();
  }

  /** Whether a result has a chosen value of each facet that has any; `except` names one that does not count. */
  admits(result, except) {
    return [...this.chosen].every(
      ([name, values]) =>
        name === except || !values.size || this.values(name, result).some((value) => values.has(value)),
    );
  }

  values(name, result) {
    return FACETS[this.kind][name](result, this.section);
  }

  show() {
    const focused = document.activeElement?.dataset?.facet;
    const groups = Object.keys(FACETS[this.kind]).map((name) => this.group(name));
    const any = [...this.chosen.values()].some((values) => values.size);
    const clear = any && make("button", { type: "button", onclick: () => this.clear() }, "Show all");
    replace(this.element, ...groups, clear);
    if (focused) this.element.querySelector(`[data-facet="${CSS.escape(focused)}"]`)?.focus();
  }

  group(name) {
    const counts = new Map();
    for (const result of this.section.results) {
      if (!this.admits(result, name)) continue;
      for (const value of new Set(this.values(name, result))) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const value of this.chosen.get(name) ?? []) if (!counts.has(value)) counts.set(value, 0);
    const rows = [...counts]
      .sort(([one, many], [other, more]) => more - many || one.localeCompare(other))
      .slice(0, MAX_VALUES);
    if (counts.size < 2 && !this.chosen.get(name)?.size) return null;
    return make(
      "fieldset",
      {},
      make("legend", {}, name),
      ...rows.map(([value, amount]) => this.box(name, value, amount)),
    );
  }

  box(name, value, amount) {
    const checked = this.chosen.get(name)?.has(value) ?? false;
    const change = (event) => this.choose(name, value, event.target.checked);
    return make(
      "label",
      {},
      make("input", { type: "checkbox", checked, "data-facet": `${name}:${value}`, onchange: change }),
      ` ${value} `,
      make("span", { class: "hint" }, String(amount)),
    );
  }

  choose(name, value, on) {
    const values = this.chosen.get(name) ?? new Set();
    if (on) values.add(value);
    else values.delete(value);
    this.chosen.set(name, values);
    this.show();
    this.changed();
  }

  clear() {
    this.chosen.clear();
    this.show();
    this.changed();
  }
}
