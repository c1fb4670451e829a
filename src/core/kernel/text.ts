import { UNNAMED_CUSTOMER } from "../../store/aging/unknown-names.ts";

export { UNNAMED_CUSTOMER };

/** What needs no cleaning: most of what arrives. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
// Control, bidirectional and invisible characters (zero-width, fillers, tags and variation selectors, by which whole texts
// are hidden): able to disguise what a person or model reads.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

// Composing takes time by the square of the marks in a row; no letter of any script has as many (UAX 15, stream-safe text).
const MARKS = /\p{M}+/gu;
const MOST_MARKS = 30;

/** Times the length that is kept: what hides further behind characters that are not shown is not looked for. */
const READ_AT_MOST = 16;

/**
 * Text that came from outside (an ERP, a client's registration) made safe to show and to compare: no control, bidi or zero-width
 * characters, composed (NFC), white space trimmed, at most `maxLength` characters. Null when nothing is left.
 */
export function cleanText(text: string | null | undefined, maxLength = 400) {
  if (text === null || text === undefined) return null;
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  const clean = text
    .slice(0, maxLength * READ_AT_MOST)
    .toWellFormed()
    .replace(/[\t\r\n]+/g, " ")
    .replace(UNSAFE, "")
    .replace(MARKS, fewMarks)
    .normalize("NFC")
    // Some marks come apart.
    .replace(MARKS, fewMarks)
    .trimStart();
  return firstOf(clean, maxLength).trimEnd() || null;
}

const fewMarks = (marks: string) => firstOf(marks, MOST_MARKS);

const firstOf = (text: string, characters: number) =>
  text.length <= characters ? text : Array.from(text).slice(0, characters).join("");

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Longest part of a name that a line of the log shows. */
const SHOWN_NAME = 80;

/** A name that a user chose, for the log: nothing in it moves a cursor, turns a line around or fills a log. */
export function shownName(name: string | null | undefined) {
  return cleanText(name, SHOWN_NAME);
}

/** An i whose dot is a character of its own, which marks below the letter may stand before. */
const DOTTED_I = /(i\p{M}*?)\u0307/gu;

// A letter comes apart into 4 at most (ᾧ), a sign for a whole sentence into 18: a text of such signs is cut.
const lengthApart = (text: string) => text.length * 4 + 32;

/**
 * The form in which text is searched and ordered (completions §10), the same on every store: caseless as Unicode has it, over NFKC, with dotted
 * and dotless i alike.
 */
export function foldText(text: string) {
  // Lower case first: only the small form of ẞ has the two letters of SS as its capital.
  const apart = text.normalize("NFKD").slice(0, lengthApart(text)).toWellFormed();
  const caseless = apart.toLowerCase().toUpperCase().toLowerCase();
  // A small sigma has another form at the end of a word, which is nowhere while somebody types a part of it.
  return caseless.replaceAll("ς", "σ").replace(DOTTED_I, "$1").normalize("NFKC");
}

/**
 * What a row is found by and ordered by, `search_text` and `sort_name`: its customer's name, and numbers, that of the customer first,
 * or other names. Folded text may be among them.
 * Cleaned text holds no line break, so that no search reaches from one into the next.
 */
export function searchColumns(name: string | null, ...numbers: readonly (string | null)[]) {
  return {
    search_text: [...new Set([name, ...numbers].flatMap((text) => (text === null ? [] : foldText(text))))].join("\n"),
    sort_name: foldText(name ?? numbers[0] ?? UNNAMED_CUSTOMER),
  };
}
