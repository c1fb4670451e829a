import habits from "./habits.json" with { type: "json" };

/** What callers of other APIs are used to call something, and what it is called here. */
const HABITS: Readonly<Record<string, readonly string[]>> = habits;

/** Longest name that is compared: what a caller sends has no bound of its own. */
const LONGEST = 64;

/** Up to this many different letters are a typing error; with more it may be another name. */
const MISSPELLED = 2;

/** What a name is usually called here, the likeliest first. */
export function habitsOf(name: string) {
  const folded = folding(name);
  return Object.entries(HABITS).find(([habit]) => folding(habit) === folded)?.[1] ?? [];
}

/** The one of `known` that `name` was most likely meant to be; null where none is near, or more than one. */
export function nearest(name: string, known: readonly string[]) {
  if (name.length > LONGEST) return null;
  const folded = folding(name);
  const same = known.find((one) => folding(one) === folded);
  const usual = habitsOf(name).find((habit) => known.includes(habit));
  return same ?? usual ?? byDistance(folded, known) ?? byPart(name, known);
}

/** The one of `known` that `name` is a misspelling of: two letters differ at most, and one in a short name; null for none. */
export function misspelled(name: string, known: readonly string[]) {
  const near = name.length > LONGEST ? null : byDistance(folding(name), known);
  return near !== null && distance(folding(name), folding(near)) <= MISSPELLED ? near : null;
}

/** Two or three letters may differ, fewer in short names. */
function byDistance(folded: string, known: readonly string[]) {
  const mostOf = (one: string) => Math.min(3, Math.floor(one.length / 3));
  const ranked = known
    // Of other lengths more letters differ; to find out how many takes most of the time.
    .filter((one) => Math.abs(folding(one).length - folded.length) <= mostOf(one))
    .map((one) => ({ one, distance: distance(folded, folding(one)) }))
    .filter(({ one, distance }) => distance <= mostOf(one))
    .sort((a, b) => a.distance - b.distance);
  const least = ranked[0]?.distance;
  return only(ranked.filter(({ distance }) => distance === least).map(({ one }) => one));
}

/** `push` is a word of `erp_push_status`, `61_90` two of `days_61_90`; a number or a direction alone says too little. */
function byPart(name: string, known: readonly string[]) {
  const part = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  if (/^(\d*|asc|desc)$/.test(part)) return null;
  return only(known.filter((one) => `_${one}_`.includes(`_${part}_`)));
}

function only(found: readonly string[]) {
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `invoiceId`, `invoice-id` and `invoice_id` are one name. */
function folding(name: string) {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** How many letters have to be changed, added, left out or swapped with the next (Levenshtein and Damerau). */
function distance(from: string, to: string) {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1, isSwapped ? at(i - 2, j - 2) + 1 : changed));
    }
  }
  return at(from.length, to.length);
}
