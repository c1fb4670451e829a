/** Markup, paths of shares, emails, schemes, and what follows an IP address or comes between the labels of a host's name. */
const LIVE = /[<>\\]|\/{2,}|@(?=\S)|(?<=\p{L}):(?=\S)|(?<=\.\d{1,3})[:/]|[.\u3002\uff0e\uff61](?=\p{L})/gu;

/** A text in which mail programs find nothing to make a link of. Times, amounts, time zones and sentences stay as they are. */
export function inertText(text: string): string {
  return text.replace(LIVE, " ").replace(/ {2,}/g, " ");
}
