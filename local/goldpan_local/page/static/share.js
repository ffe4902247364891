// Copies the address of the page, which has all that a search or a comparison asks.

import { button, make } from "./dom.js";

/** Make the button, and a text that tells whether the address was copied. */
export function shareButton() {
  const status = make("span", { class: "hint", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      status.textContent = "The link is copied.";
    } catch {
      status.textContent = `The link: ${location.href}`; // a browser allows copying to pages of https and of this machine
    }
  };
  return [button("Copy the link", copy), status];
}
