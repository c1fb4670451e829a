/** Who signed in, and where that counts. */
export interface SignedIn {
  readonly personId: string;
  /**
   * The one workspace the sign-in counts for: its OpenID provider vouched for the person, and answers for no other
   * workspace of theirs, nor for what is theirs everywhere (such as the password). Null where they proved themselves to us.
   */
  readonly tenantId: string | null;
}
