/** Where a person is asked to set up the second factor that every workspace of theirs requires, on the way to `next`. */
export function setUpFactorPath(next: string): string {
  return `${SECURITY_PATH}?${new URLSearchParams({ required: "", next })}`;
}

/** Where the code of a second factor is asked for. */
export const CODE_PATH = "/signin/code";
/** A person's own second factor and sessions. */
export const SECURITY_PATH = "/security";
