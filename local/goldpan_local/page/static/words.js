// How counts, times and names are written.

/** The modes of a search, in words. */
export const MODES = {
  focused: "Searches for the words as you wrote them, in the fewest queries.",
  balanced: "Also searches for a few other wordings of the same thing.",
  exploratory: "Searches for many other wordings and neighbouring subjects: more to look through, more surprises.",
};

/** Say why results were left out; a rule that the kind does not name is what is excluded, or weak. */
export function leftOut(rule, dropped) {
  if (rule === "weak") return "fitting too weakly";
  return dropped[rule] ?? (rule.startsWith("not ") ? rule.replace(/^not (topic )?/, "about ") : `without the ${words(rule)}`);
}

/** A time as people say it: 6 ms, 1.3 s. */
export const duration = (milliseconds) =>
  milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export function count(value) {
  if (value === null || value === undefined) return "–";
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** A number with its noun: 1 paper, 2 papers. */
export const amount = (number, singular, plural) => `${number} ${number === 1 ? singular : plural}`;

export const day = (time) => (time ? time.slice(0, 10) : null);

/** Write a text with a capital letter. */
export const sentence = (text) => text[0].toUpperCase() + text.slice(1);

export const words = (name) => name.replaceAll("_", " ");

export function ago(time, now = Date.now()) {
  const days = Math.floor((now - Date.parse(time)) / 86400000);
  if (days < 1) return "today";
  if (days < 60) return `${days} day${days === 1 ? "" : "s"} ago`;
  const months = Math.round(days / 30.4);
  return days < 2 * 365.25 ? `${months} months ago` : `${Math.floor(days / 365.25)} years ago`;
}

/** How old something is, from its seconds. */
export function age(seconds) {
  const units = [[86400, "day"], [3600, "hour"], [60, "minute"]];
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, "second"];
  return `${amount(Math.floor(seconds / size), unit, `${unit}s`)} ago`;
}

const FITS = [[0.7, "fits very well"], [0.45, "fits well"], [0.2, "fits in part"], [0, "hardly fits"]];

/** Say how well a result fits, by its relevance, which is a probability for some kinds only. */
export const fits = (relevance) => FITS.find(([least]) => relevance >= least)[1];

export const percent = (value) => `${Math.round(100 * value)} %`;
