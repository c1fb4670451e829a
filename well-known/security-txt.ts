import { type RequestHandler, Router } from "express";

const DAY_MS = 86_400_000;
/** RFC 9116 advises less than a year: an old copy does not lead to an abandoned address. */
const GOOD_FOR_DAYS = 180;

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability. Null contact: there is no such file. */
export function securityTxt({
  contact,
  publicOrigin,
  now,
}: {
  /** A URI: `mailto:`, `https:` or `tel:`. */
  contact: string | null;
  publicOrigin: string;
  now: () => Date;
}): RequestHandler {
  const path = "/.well-known/security.txt";
  const router = Router();
  if (contact === null) return router;
  router.get(path, (_request, response) => {
    const day = Math.floor(now().getTime() / DAY_MS) + GOOD_FOR_DAYS;
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(day * DAY_MS).toISOString().replace(".000Z", "Z")}`,
      "Preferred-Languages: en",
      `Canonical: ${publicOrigin}${path}`,
    ];
    response.set({ "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" });
    response.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
  });
  return router;
}
