// Copies the address of the page, which has all that a search or a comparison asks.

import { make } from "./dom.js";

/** Make the button, and the place beside it that says whether the address is copied. */
export function shareButton() {
  const said = make("span", { class: "hint", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "The link is copied.";
    } catch {
      said.textContent = `The link: ${location.href}`; // a browser allows copying to pages of https and of this machine
    }
  };
  return [make("button", { type: "button", onclick: copy }, "Copy the link"), said];
}
