// Filters the shown results: each facet lists its values with how many of the shown results have them.

import { make, replace } from "./dom.js";

const UNKNOWN = "unknown";
const STARS = [
  [10000, "10,000 and more"],
  [1000, "1,000 to 10,000"],
  [100, "100 to 1,000"],
  [0, "under 100"],
];
const PUSHED = [
  [31, "in the last month"],
  [183, "in half a year"],
  [365, "in a year"],
  [Infinity, "longer ago"],
];
const MAX_VALUES = 8;
const NARROW = "(max-width: 46rem)"; // as in page.css: the results begin on the first screen of a phone

const stars = (result) => STARS.find(([least]) => result.stars >= least)[1];
const pushed = (result) =>
  PUSHED.find(([days]) => (Date.now() - Date.parse(result.pushed_at)) / 86400000 <= days)[1];
const year = (result) => [String(result.year ?? UNKNOWN)];
const venue = (result) => [result.venue ?? UNKNOWN];
const themes = (result, section) =>
  (section.facets?.key_themes ?? [])
    .map((each) => each.value)
    .filter((theme) => `${result.title} ${result.abstract ?? ""}`.toLowerCase().includes(theme.toLowerCase()));

/** The facets of each kind of results: the values that a result has. */
const FACETS = {
  repositories: {
    Language: (result) => [result.language ?? UNKNOWN],
    Licence: (result) => [result.license ?? UNKNOWN],
    Stars: (result) => [(result.stars ?? null) === null ? UNKNOWN : stars(result)],
    "Last push": (result) => [result.pushed_at ? pushed(result) : UNKNOWN],
  },
  papers: { Year: year, Venue: venue, Author: (result) => result.authors, Theme: themes },
  "papers of your library": {
    Year: year,
    Venue: venue,
    Author: (result) => result.authors,
    Tag: (result) => result.tags,
  },
  passages: { Project: (chunk) => [chunk.project], Paper: (chunk) => [chunk.citation] },
};

/** Facets whose values have an order of their own; other values come by how many results have them. */
const ORDERS = {
  Year: (one, other) => (one === UNKNOWN) - (other === UNKNOWN) || other.localeCompare(one),
  Stars: byPlace(STARS),
  "Last push": byPlace(PUSHED),
};

function byPlace(values) {
  const names = [...values.map(([, name]) => name), UNKNOWN];
  return (one, other) => names.indexOf(one) - names.indexOf(other);
}

/** The chosen values of one list of results. */
export class Facets {
  constructor(kind, section, changed) {
    this.kind = kind;
    this.section = section;
    this.changed = changed;
    this.chosen = new Map();
    this.whole = new Set(); // the facets that show all of their values
    this.summary = make("summary", {});
    this.groups = make("div", { role: "group", "aria-label": `Filter ${kind}` });
    const open = !matchMedia(NARROW).matches;
    this.element = make("details", { class: "facets", open }, this.summary, this.groups);
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
    const groups = Object.keys(FACETS[this.kind])
      .map((name) => this.group(name))
      .filter(Boolean);
    const amount = [...this.chosen.values()].reduce((sum, values) => sum + values.size, 0);
    const clear = amount > 0 && make("button", { type: "button", onclick: () => this.clear() }, "Show all");
    this.element.hidden = groups.length === 0;
    this.summary.textContent = amount ? `Filter (${amount} chosen)` : "Filter";
    replace(this.groups, ...groups, clear);
    if (focused) this.groups.querySelector(`[data-facet="${CSS.escape(focused)}"]`)?.focus();
  }

  group(name) {
    const chosen = this.chosen.get(name) ?? new Set();
    const counts = this.counts(name);
    for (const value of chosen) if (!counts.has(value)) counts.set(value, 0);
    if (counts.size < 2 && !chosen.size) return null;
    const rows = [...counts]
      .sort(([one, many], [other, more]) => more - many || one.localeCompare(other))
      .filter(([value], place) => place < MAX_VALUES || this.whole.has(name) || chosen.has(value));
    if (ORDERS[name]) rows.sort(([one], [other]) => ORDERS[name](one, other));
    return make(
      "fieldset",
      {},
      make("legend", {}, name),
      ...rows.map(([value, amount]) => this.box(name, value, amount)),
      this.more(name, counts.size - rows.length),
    );
  }

  /** Count the values of a facet in the results that the other facets admit. */
  counts(name) {
    const counts = new Map();
    for (const result of this.section.results) {
      if (!this.admits(result, name)) continue;
      for (const value of new Set(this.values(name, result))) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }

  /** Make the button that shows the values that are left out, if there are any. */
  more(name, left) {
    const show = () => {
      this.whole.add(name);
      this.show();
      this.groups.querySelector(`[data-facet^="${CSS.escape(`${name}:`)}"]`)?.focus();
    };
    return left > 0 && make("button", { type: "button", class: "more", onclick: show }, `${left} more`);
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
    this.summary.focus();
  }
}
