/** Where a person who says nothing else goes after they signed in. */
export const AFTER_SIGN_IN = "/connections";

/** Longer ones are not carried through a sign-in. */
const MAX_LENGTH = 1_000;

/** Only ever a path of our own: a sign-in page that sends people elsewhere is a phisher's tool. */
export function destination(publicOrigin: string, next: unknown): string {
  const url = typeof next === "string" && next.startsWith("/") ? URL.parse(next, publicOrigin) : null;
  if (url?.origin !== publicOrigin) return AFTER_SIGN_IN;
  const path = url.pathname + url.search;
  // What `/.//host` comes to: a path here, and another host to whoever reads it next.
  return path.startsWith("//") || path.length > MAX_LENGTH ? AFTER_SIGN_IN : path;
}
