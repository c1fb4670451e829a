import { published } from "./published.ts";

const DAY_MS = 86_400_000;
/** RFC 9116 advises less than a year: an old copy does not lead to an abandoned address. */
const GOOD_FOR_DAYS = 180;

interface Contact {
  /** A URI: `mailto:`, `https:` or `tel:`. */
  contact: string;
  publicOrigin: string;
  clock: { now(): Date };
}

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability. */
export function securityTxt({ contact, publicOrigin, clock }: Contact) {
  const path = "/.well-known/security.txt";
  return published(path, "text/plain; charset=utf-8", 3_600, () => {
    const day = Math.floor(clock.now().getTime() / DAY_MS) + GOOD_FOR_DAYS;
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(day * DAY_MS).toISOString().replace(".000Z", "Z")}`,
      "Preferred-Languages: en",
      `Canonical: ${publicOrigin}${path}`,
    ];
    return `${lines.join("\n")}\n`;
  });
}
