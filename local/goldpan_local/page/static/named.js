// The field for results by name: compares those that are typed, or searches for what is like the only one.

import { MOST } from "./compare.js";
import { find } from "./dom.js";
import { comparable } from "./kinds.js";
import { openComparison } from "./navigation.js";

const typedNames = () => find("names").value.split(/[\s,]+/).filter(Boolean);

/** Listen to the field. `page` has `question`, which reads the question, `like` and `say`. */
export function offerNames(page) {
  find("by-name").hidden = !comparable;
  find("named").addEventListener("submit", (event) => {
    event.preventDefault();
    const names = typedNames();
    page.say("");
    if (names.length === 1) page.like(comparable, { [comparable.identity.path]: names[0] });
    else if (names.length > 1 && names.length <= MOST) openComparison(names, page.question());
    else page.say(`Type one to ${MOST} ${comparable.plural}, such as iamkun/dayjs; there are ${names.length}.`);
  });
  find("names").addEventListener("input", () => {
    find("go-named").textContent = typedNames().length === 1 ? "More like this" : "Compare";
  });
}
