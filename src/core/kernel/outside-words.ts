import { plainLine } from "../../gateways/outside-error.ts";

const MAX_LENGTH = 300;
/** What could be read as the end of a quotation. */
const QUOTES = /[\p{Quotation_Mark}\u02BA\u02EE\u05F4\u2033\u2036\u3003]/gu;

/** What another system said, cleaned: at most 300 characters, none of which ends a quotation; null for nothing. */
export function outsideWords(said: string | null) {
  const words = [...plainLine(said ?? "").replace(QUOTES, "'")];
  if (words.length === 0) return null;
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH - 1).join("")}…` : words.join("");
}

/**
 * A public sentence of the service's own, and after it what another system said (completions §12), between quotation marks
 * that it cannot close. That part is data: never markup, never ours.
 */
export function withOutsideWords(sentence: string, who: string, said: string | null) {
  const words = outsideWords(said);
  return words === null ? sentence : `${sentence} ${who} says: “${words}”`;
}
