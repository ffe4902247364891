// The options behind the question: what to find, where, in which mode, and the filters of the chosen kinds.

import { find, make } from "./dom.js";
import { filtersOf, offerFilters, showFilters } from "./filters.js";
import { headingOf, KINDS } from "./kinds.js";
import { chosenKinds, WORLD } from "./state.js";
import { amount, MODES } from "./words.js";

/** The options of the form; the kinds, of which the first one is chosen, stand beside the question. */
export class Options {
  constructor(form, projects) {
    this.form = form;
    this.projects = projects;
    offerKinds();
    offerFilters();
    for (const field of [form.mode, form.where, find("kinds")]) field.addEventListener("change", () => this.show());
    find("options-button").addEventListener("click", () => this.open(find("options").hidden));
    // The browser marks a wrong value and says what is allowed, if it is not hidden.
    form.addEventListener("invalid", (event) => find("options").contains(event.target) && this.open(true), true);
  }

  /** Show the options that the place to search in has, and explain the mode. */
  show() {
    const isWorld = this.form.where.value === WORLD;
    find("kinds").hidden = find("mode-box").hidden = find("filters").hidden = !isWorld;
    find("mode-text").textContent = MODES[this.form.mode.value];
    showFilters(chosenKinds(this.form).map((kind) => kind.name));
    this.projects.show();
  }

  /** Show the options, or hide them, so that the form is one line, which then has the number of filters. */
  open(isOpen) {
    const kinds = chosenKinds(this.form).map((kind) => kind.name);
    const set = this.form.where.value === WORLD ? Object.keys(filtersOf(this.form, kinds).filters ?? {}).length : 0;
    find("options").hidden = !isOpen;
    find("options-button").textContent = set && !isOpen ? `Options (${set})` : "Options";
    find("options-button").title = set ? `${amount(set, "filter", "filters")} set` : "";
    find("options-button").setAttribute("aria-expanded", isOpen);
  }

  chooseKinds(kinds) {
    for (const box of this.form.querySelectorAll("[name=kind]")) box.checked = kinds.includes(box.value);
  }
}

function offerKinds() {
  const boxes = KINDS.map((kind, place) =>
    make(
      "label",
      {},
      make("input", { type: "checkbox", name: "kind", value: kind.name, checked: place === 0 }),
      ` ${headingOf(kind)}`,
    ),
  );
  find("kinds").append(...boxes);
}
