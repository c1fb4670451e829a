/** Markup, paths of shares, emails, schemes, and what follows an IP address or comes between the labels of a host's name. */
const LIVE = /[<>\\]|\/{2,}|@(?=\S)|(?<=\p{L}):(?=\S)|(?<=\.\d{1,3})[:/]|[.\u3002](?=\p{L})/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text in which mail programs find nothing to make a link of, also once they have taken circled letters, small full stops
 * and the like for plain ones (NFKC). Times, amounts, time zones and sentences stay as they are.
 */
export function inertText(text: string) {
  const inert = withoutLinks(text);
  const plain = inert.replace(INVISIBLE, "").normalize("NFKC");
  return plain.search(LIVE) === -1 ? inert : withoutLinks(plain);
}

function withoutLinks(text: string) {
  return text.replace(LIVE, " ").replace(/ {2,}/g, " ");
}
