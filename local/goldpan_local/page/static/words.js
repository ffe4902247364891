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

/** Why results were left out, by the rule that did it; any other rule names what is excluded, or a topic. */
const LEFT_OUT = {
  stars: "by their number of stars",
  pushed: "not pushed in the time allowed",
  created: "created at another time",
  age: "too old",
  archived: "by whether they are archived",
  readme: "without a README",
  "trivial fork": "forks with little of their own",
  license: "under another licence",
  "excluded license": "under an excluded licence",
  language: "in another language",
  "excluded language": "in an excluded language",
  platform: "for another platform",
  copy: "copies of another result",
  weak: "fitting too weakly",
  year: "from other years",
  venue: "from other venues",
  author: "by other authors",
  type: "of another type",
  "open access": "by whether they are open access",
  "below threshold": "below the relevance asked for",
};

export const leftOut = (rule) =>
  LEFT_OUT[rule] ?? (rule.startsWith("not ") ? rule.replace(/^not (topic )?/, "about ") : `without the ${words(rule)}`);

/** A time as people say it: 6 ms, 1.3 s. */
export const duration = (milliseconds) =>
  milliseconds < 100 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

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

/** The stars of a repository, in words. */
export const starsOf = ({ stars }) => ((stars ?? null) === null ? "stars unknown" : `${count(stars)} stars`);

export const words = (name) => name.replaceAll("_", " ");

export function ago(time, now = Date.now()) {
  const days = Math.floor((now - Date.parse(time)) / 86400000);
  if (days < 1) return "today";
  if (days < 60) return `${days} day${days === 1 ? "" : "s"} ago`;
  const months = Math.floor(days / 30.4);
  return months < 24 ? `${months} months ago` : `${Math.floor(days / 365.25)} years ago`;
}

export const percent = (value) => `${Math.round(100 * value)} %`;
