// Makes elements. Text is only ever set as text, so that what a repository or a paper says is never markup.

const SVG = "http://www.w3.org/2000/svg";

const isLeftOut = (value) => (value ?? false) === false;
const kept = (children) => children.flat().filter((child) => !isLeftOut(child));

/** Make an element: properties beginning with "on" are listeners, the others attributes; null and false are left out. */
export function make(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** Make a button that sends no form. */
export const button = (text, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, text);

/** Make an element of what matters less. */
export const hint = (name, ...children) => make(name, { class: "hint" }, ...children);

/** Make an element of a drawing. */
export function draw(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (isLeftOut(value)) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...kept(children));
  return element;
}

/** Link an address if it is one of the web; what looks like any other becomes plain text. */
export function link(address, text, properties = {}) {
  if (!/^https?:\/\//i.test(address ?? "")) return make("span", {}, text);
  return make("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank", ...properties }, text);
}

/** Replace the children of an element. */
export function replace(element, ...children) {
  element.replaceChildren(...kept(children));
  return element;
}

/** Move to an element, and open what it is closed in. */
export function moveTo(element) {
  const around = element.closest("details");
  if (around) around.open = true;
  element.tabIndex = -1;
  element.focus();
  element.scrollIntoView({ block: "start" });
}

/** Move the focus to an element if what had it is gone or hidden, where the keyboard would begin at the top again. */
export function keepFocus(id) {
  if (!document.activeElement.offsetParent) find(id)?.focus({ preventScroll: true });
}

export const find = (id) => document.getElementById(id);
