// Cards, and the facets that filter them.

import { make, replace } from "./dom.js";
import { Facets } from "./facets.js";
import { visit } from "./navigation.js";
import { addressWithChosen } from "./state.js";

/**
 * Make the list of `cards`, each a result and its element; `empty` is shown if there are none. `title` writes the
 * heading above from the number of shown cards and a note of how many are filtered out. `chosen` has the chosen values.
 * The facets are open at first if `isOpen`, but for narrow screens.
 */
export function filteredList(name, facetsOfKind, section, cards, empty, title, chosen, isOpen = true) {
  const list = make("div", { class: "cards" });
  const show = () => {
    const admitted = cards.filter(([result]) => facets.admits(result)).map(([, element]) => element);
    const hidden = cards.length - admitted.length;
    title(admitted.length, hidden ? ` (${hidden} filtered out)` : "");
    const none = make("p", {}, cards.length ? "No result has all that you chose under “Filter”." : empty);
    replace(list, ...(admitted.length ? admitted : [none]));
  };
  const changed = () => {
    show();
    visit(addressWithChosen(chosen), false);
  };
  const facets = new Facets(name, facetsOfKind, section, changed, chosen, isOpen);
  show();
  return make("div", { class: "columns" }, facets.element, list);
}
