// Writes the attributes of results, by the format that their kind gives.

import { valueAt } from "./kinds.js";
import { ago, count, day, percent, words } from "./words.js";

export const MISSING = "missing"; // what of the question a result does not show
const MAX_NAMES = 4;

/** Write a value for a line of facts; null if it is unknown, or of a format that a line does not have. */
export function inLine(result, attribute) {
  const value = valueAt(result, attribute.path);
  if (value === null || value === "") return null;
  switch (attribute.format) {
    case "count":
      return `${count(value)} ${attribute.label}`;
    case "date":
      return `${attribute.label} ${ago(value)}`;
    case "flag":
      return value ? attribute.label : null;
    case "names":
      return few(value.map(inOrder));
    case "list":
    case "score":
    case "share":
    case "address":
      return null;
    default:
      return typeof value === "object" ? `${attribute.label} ${asText(value)}` : String(value);
  }
}

/** Write a value for a table, in full. */
export function inTable(result, attribute) {
  const value = valueAt(result, attribute.path);
  if (attribute.format === "flag") return value ? "yes" : "no";
  if (value === null || value.length === 0) return attribute.path === MISSING ? "none" : "unknown";
  if (attribute.format === "count") return count(value);
  if (attribute.format === "date") return day(value);
  if (attribute.format === "share") return percent(value);
  return Array.isArray(value) ? value.join(", ") : asText(value);
}

/** The name of an attribute for people. */
export const labelOf = (attribute) => attribute.label || words(attribute.name);

/** Write a value; one with parts, such as a release with its time, by its parts. */
function asText(value) {
  if (typeof value !== "object") return String(value);
  return Object.values(value)
    .filter(Boolean)
    .map((part) => (/^\d{4}-\d\d-\d\dT/.test(part) ? day(part) : part))
    .join(" ");
}

/** A name in the order of speech, whatever its source writes: "Lovelace, Ada" is "Ada Lovelace". */
export const inOrder = (name) => name.replace(/^([^,]+), ([^,]+)$/, "$2 $1");

function few(names) {
  if (names.length <= MAX_NAMES) return names.join(", ");
  return `${names.slice(0, MAX_NAMES - 1).join(", ")} and ${names.length - MAX_NAMES + 1} more`;
}
