// Filters the shown results: each facet lists its values with how many of the shown results have them.

import { inOrder } from "./attributes.js";
import { button, hint, make, replace } from "./dom.js";
import { valueAt } from "./kinds.js";

const UNKNOWN = "unknown";
const ET_AL = "et al."; // ends a list of names that goes on
const DAY_MS = 86400000;
const MAX_VALUES = 8;
const NARROW = "(max-width: 46rem)"; // as in page.css: the results begin on the first screen of a phone

/** The values that a result has of a facet: one a step, a list, or the terms of the section that its texts have. */
function valuesOf(facet, result, section) {
  if (facet.terms) return termsIn(result, valueAt(section, facet.terms) ?? []);
  const value = valueAt(result, facet.path);
  if (value === null) return [UNKNOWN];
  if (facet.steps?.length) return [stepOf(facet, value)];
  const known = [value].flat().filter((each) => each !== ET_AL);
  return known.map((each) => (facet.format === "names" ? inOrder(each) : String(each)));
}

function stepOf({ format, steps }, value) {
  const age = (Date.now() - Date.parse(value)) / DAY_MS;
  const [, name] = steps.find(([limit]) => (format === "date" ? limit === null || age <= limit : value >= limit)) ?? [];
  return name ?? UNKNOWN;
}

function termsIn(result, terms) {
  const texts = Object.values(result)
    .filter((value) => typeof value === "string")
    .join(" ")
    .toLowerCase();
  return terms.map((each) => each.value).filter((term) => texts.includes(term.toLowerCase()));
}

/** How the values of a facet are ordered by themselves; nothing if by how many results have them. */
function orderOf({ steps, by_value }) {
  if (steps?.length) {
    const names = [...steps.map(([, name]) => name), UNKNOWN];
    return (one, other) => names.indexOf(one) - names.indexOf(other);
  }
  return by_value && ((one, other) => (one === UNKNOWN) - (other === UNKNOWN) || other.localeCompare(one, "en", { numeric: true }));
}

/** The chosen values of one list of results. */
export class Facets {
  /**
   * `name` says what the `facets` filter; `changed` is called when the choice changes. `chosen` has the values of each
   * facet by its key, those of other lists too.
   */
  constructor(name, facets, section, changed, chosen = new Map(), isOpen = true) {
    this.name = name;
    this.facets = facets;
    this.section = section;
    this.changed = changed;
    this.chosen = chosen;
    this.whole = new Set(); // the facets that show all of their values
    this.summary = make("summary", {});
    this.groups = make("div", { role: "group", "aria-label": `Filter ${name}` });
    const open = isOpen && !matchMedia(NARROW).matches;
    this.element = make("details", { class: "facets", open }, this.summary, this.groups);
    this.show();
  }

  valuesChosen(facet) {
    return this.chosen.get(`${this.name}:${facet.label}`) ?? new Set();
  }

  /** Whether a result has a chosen value of each facet that has any; `except` names one that does not count. */
  admits(result, except) {
    return this.facets.every((facet) => {
      const values = this.valuesChosen(facet);
      return facet === except || !values.size || valuesOf(facet, result, this.section).some((value) => values.has(value));
    });
  }

  show() {
    const focused = document.activeElement?.dataset?.facet;
    const groups = this.facets.map((facet) => this.group(facet)).filter(Boolean);
    const amount = this.facets.reduce((sum, facet) => sum + this.valuesChosen(facet).size, 0);
    const clear = amount > 0 && button("Show all", () => this.clear());
    this.element.hidden = groups.length === 0;
    this.summary.textContent = amount ? `Filter (${amount} chosen)` : "Filter";
    replace(this.groups, ...groups, clear);
    if (focused) this.groups.querySelector(`[data-facet="${CSS.escape(focused)}"]`)?.focus();
  }

  group(facet) {
    const chosen = this.valuesChosen(facet);
    const counts = this.counts(facet);
    for (const value of chosen) if (!counts.has(value)) counts.set(value, 0);
    if (counts.size < 2 && !chosen.size) return null;
    const rows = [...counts]
      .sort(([one, many], [other, more]) => more - many || one.localeCompare(other))
      .filter(([value], place) => place < MAX_VALUES || this.whole.has(facet) || chosen.has(value));
    const order = orderOf(facet);
    if (order) rows.sort(([one], [other]) => order(one, other));
    return make(
      "fieldset",
      {},
      make("legend", {}, facet.label),
      ...rows.map(([value, amount]) => this.box(facet, value, amount)),
      this.more(facet, counts.size - rows.length),
    );
  }

  /** Count the values of a facet in the results that the other facets admit. */
  counts(facet) {
    const counts = new Map();
    for (const result of this.section.results.filter((each) => this.admits(each, facet)))
      for (const value of new Set(valuesOf(facet, result, this.section))) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  }

  /** Make the button that shows the values that are left out, if there are any. */
  more(facet, left) {
    const show = () => {
      this.whole.add(facet);
      this.show();
      this.groups.querySelector(`[data-facet^="${CSS.escape(`${facet.label}:`)}"]`)?.focus();
    };
    return left > 0 && button(`${left} more`, show, { class: "more" });
  }

  box(facet, value, amount) {
    const checked = this.valuesChosen(facet).has(value);
    const change = (event) => this.choose(facet, value, event.target.checked);
    return make(
      "label",
      {},
      make("input", { type: "checkbox", checked, "data-facet": `${facet.label}:${value}`, onchange: change }),
      ` ${value} `,
      hint("span", String(amount)),
    );
  }

  choose(facet, value, on) {
    const values = this.valuesChosen(facet);
    if (on) values.add(value);
    else values.delete(value);
    this.chosen.set(`${this.name}:${facet.label}`, values);
    this.show();
    this.changed();
  }

  clear() {
    for (const facet of this.facets) this.valuesChosen(facet).clear();
    this.show();
    this.changed();
    this.summary.focus();
  }
}
