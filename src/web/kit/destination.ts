/** Where people go after signing in, by default. */
export const AFTER_SIGN_IN = "/connections";

/** Longer destinations are dropped. */
const MAX_LENGTH = 1_000;

/** The path to go to after signing in: only one of our own, against open redirects. */
export function destination(publicOrigin: string, next: unknown): string {
  const url = typeof next === "string" && next.startsWith("/") ? URL.parse(next, publicOrigin) : null;
  if (url?.origin !== publicOrigin) return AFTER_SIGN_IN;
  const path = url.pathname + url.search;
  // `/.//host` becomes `//host`: a path here, and another host to a browser.
  return path.startsWith("//") || path.length > MAX_LENGTH ? AFTER_SIGN_IN : path;
}
