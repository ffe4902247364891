// The history of the browser: the address of the page says what is searched, and what is compared in front of it.

import { compare } from "./compare.js";
import { find } from "./dom.js";
import { addressBehind, addressOfComparison, comparisonIn } from "./state.js";

let shown = location.pathname, // the address of the search whose results are shown
  back = null; // settled once the browser has left a comparison that was closed

/** Make the address of a search that of the page; `add` makes it a further step of the history. */
export function visit(address, add) {
  const same = address === location.pathname + location.search;
  if (add && !same) history.pushState(null, "", address);
  else history.replaceState(history.state, "", address);
  shown = address;
}

/** Compare results, at an address of its own; the way back closes the comparison. */
export async function openComparison(repos, question) {
  await back;
  history.pushState({ comparison: true }, "", addressOfComparison(repos, question));
  compare(repos, question);
}

/**
 * Follow the address of the page, now and whenever it changes. `page` has `fill`, which fills the form from it and
 * returns whether it has a question; `search`, which searches what the form has; and `start` for no question.
 */
export function followAddress(page) {
  const follow = () => {
    const { repos, question } = comparisonIn();
    if (repos.length) return compare(repos, question);
    find("dialog").close();
    if (addressBehind() === shown) return undefined;
    shown = addressBehind();
    return page.fill() ? page.search() : page.start();
  };
  addEventListener("popstate", follow);
  // The event comes late: the dialog may be open again by then.
  find("dialog").addEventListener("close", () => find("dialog").open || leave(follow));
  page.fill();
  follow();
}

/** Leave the address of a comparison that was closed: the way back if this tab made it, else that of its search. */
function leave(follow) {
  if (!comparisonIn().repos.length) return;
  if (history.state?.comparison) {
    back = new Promise((left) => addEventListener("popstate", left, { once: true }));
    history.back();
  } else {
    history.replaceState(null, "", addressBehind());
    follow();
  }
}
