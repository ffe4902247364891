// A section of cards, and the facets that filter them.

import { make, replace } from "./dom.js";
import { Facets } from "./facets.js";
import { visit } from "./navigation.js";
import { addressWithChosen } from "./state.js";

/**
 * Make the section of `cards`, each a result and its element; `empty` is shown if there are none. Its heading is the
 * `title` with the number of shown cards and how many are filtered out; `before` and `after` stand around the list.
 * `chosen` has the chosen values. The facets are open at first if `isOpen`, but for narrow screens.
 */
export function filteredList({ id, title, of = "", name, facets: ofKind, section, cards, empty, chosen, isOpen }, before, after) {
  const heading = make("h2", { id, "aria-live": "polite" });
  const list = make("div", { class: "cards" });
  const show = () => {
    const admitted = cards.filter(([result]) => facets.admits(result)).map(([, element]) => element);
    const hidden = cards.length - admitted.length;
    heading.textContent = `${title}: ${admitted.length}${of}${hidden ? ` (${hidden} filtered out)` : ""}`;
    const none = make("p", {}, cards.length ? "No result has all that you chose under “Filter”." : empty);
    replace(list, ...(admitted.length ? admitted : [none]));
  };
  const changed = () => {
    show();
    visit(addressWithChosen(chosen), false);
  };
  const facets = new Facets(name, ofKind, section, changed, chosen, isOpen);
  show();
  return make("section", { class: "kind", "aria-labelledby": id }, heading, before, make("div", { class: "columns" }, facets.element, list), after);
}
