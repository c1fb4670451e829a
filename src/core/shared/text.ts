import { UNNAMED_CUSTOMER } from "../../store/aging/unknown-names.ts";

/** What needs no cleaning: most of what arrives. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
// Control, bidirectional and invisible characters (zero-width, fillers, tags and variation selectors, by which whole texts
// are hidden): able to disguise what a person or model reads.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/**
 * Text that came from outside (an ERP, a client's registration) made safe to show: no control, bidi or zero-width
 * characters, white space trimmed, at most `maxLength` characters. Null when nothing is left.
 */
export function cleanText(text: string | null | undefined, maxLength = 400): string | null {
  if (text === null || text === undefined) return null;
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  const clean = text
    .toWellFormed()
    .replace(/[\t\r\n]+/g, " ")
    .replace(UNSAFE, "")
    .trim();
  if (clean === "") return null;
  const characters = Array.from(clean);
  return characters.length <= maxLength ? clean : characters.slice(0, maxLength).join("");
}

/** Longest part of a name that a line of the log shows. */
const SHOWN_NAME = 80;

/** A name that a user chose, for the log: nothing in it moves a cursor, turns a line around or fills a log. */
export function shownName(name: string | null | undefined): string | null {
  return cleanText(name, SHOWN_NAME);
}

/** Case-folded form for literal, case-insensitive search and for ordering by name; the same on every store. */
export function foldText(text: string): string {
  // A small sigma has another form at the end of a word, which is nowhere while somebody types a part of it.
  return text.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** What a customer is found by and ordered by: `search_text` and `sort_name` of the rows that show `name` and `number`. */
export function customerText(name: string | null, number: string | null): { search_text: string; sort_name: string } {
  const shown = [name, number].filter((text) => text !== null);
  // Cleaned text holds no line break, so that no search reaches from the name into the number.
  return { search_text: foldText(shown.join("\n")), sort_name: foldText(shown[0] ?? UNNAMED_CUSTOMER) };
}
