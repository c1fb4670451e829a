import { cleanText } from "../shared/text.ts";

/**
 * A name that somebody chose for themselves, made safe for a mail to others: mail programs turn text that looks like an address
 * into a link, so none of it may look like one. `unnamed` where nothing is left.
 */
export function inertName(name: string, unnamed: string): string {
  const clean = cleanText(name, 80) ?? "";
  const plain = clean
    .replace(/[:/\\@<>]+|\.(?=\p{L})/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return plain === "" ? unnamed : plain;
}
