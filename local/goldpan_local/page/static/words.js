// How counts, days and names are written.

const MODES = {
  focused: "Searches for the words as you wrote them, in the fewest queries.",
  balanced: "Also searches for a few other wordings of the same thing.",
  exploratory: "Searches for many other wordings and neighbouring subjects: more to look through, more surprises.",
};

export const DIMENSIONS = {
  maturity: "Age, stars and releases.",
  activity: "The last push, the commits of 90 days, and what is closed and merged a month.",
  documentation: "The structure of the README: length, headings, links, examples, an API section.",
  community: "Contributors, watchers, and forks for the stars it has.",
  ease_of_use: "What the README gives to begin with: installation, usage, examples, pictures.",
  maintenance: "The latest release, and the share of issues that are closed.",
};

export const modeText = (mode) => MODES[mode] ?? "";

export function count(value) {
  if (value === null || value === undefined) return "–";
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** A number with its noun: 1 paper, 2 papers, 1 repository, 2 repositories. */
export function amount(number, noun) {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

export const day = (time) => (time ? time.slice(0, 10) : null);

export const words = (name) => name.replaceAll("_", " ");

export function ago(time, now = Date.now()) {
  const days = Math.floor((now - Date.parse(time)) / 86400000);
  if (days < 1) return "today";
  if (days < 60) return `${days} day${days === 1 ? "" : "s"} ago`;
  const months = Math.floor(days / 30.4);
  return months < 24 ? `${months} months ago` : `${Math.floor(days / 365.25)} years ago`;
}

export const percent = (value) => `${Math.round(100 * value)} %`;
