const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** One line of text as markup. */
export const escaped = (text: string): string =>
  oneLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** The same in an element of its own: its direction does not reach what is beside it. */
export const bdi = (text: string): string => `<bdi>${escaped(text)}</bdi>`;

/** One line, so that no value can pretend to be the next paragraph. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** What comes between a label and its value: French sets a space before it. */
export const colonIn = (lang: string): string => (lang.startsWith("fr") ? "\u00A0:" : ":");

/** An address on the web in its normal form. Throws RangeError for anything else. */
export function webAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:"].includes(url.protocol)) throw new RangeError("not a web address");
  return url.href;
}
