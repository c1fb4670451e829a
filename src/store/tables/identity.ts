import type { ColumnType } from "kysely";
import type { StoredInstant } from "./values.ts";

/** A workspace's OpenID provider, at which its members sign in. */
export interface SignInProviderRow {
  tenant_id: string;
  issuer: string;
  client_id: string;
  /** Encrypted (src/core/shared/secrets.ts). */
  client_secret: string;
  /** Emails of the provider count as verified without its saying so. */
  trust_email: boolean;
  created_at: StoredInstant;
}

/** A domain of email addresses whose people are sent to the workspace's provider. */
export interface SignInDomainRow {
  tenant_id: string;
  /** Lower case. */
  domain: string;
}

/** A member as an issuer knows them. */
export interface MemberIdentityRow {
  tenant_id: string;
  identity_id: string;
  member_id: string;
  issuer: string;
  subject: string;
  created_at: StoredInstant;
  /** When it was taken back; it is not made again by itself. */
  removed_at: StoredInstant | null;
}

export interface SignInFailureRow {
  subject: string;
  failures: number;
  last_at: StoredInstant;
}

/** An address that a person signed in from, as a keyed digest. */
export interface SignInAddressRow {
  person_id: string;
  address_hash: string;
  last_at: StoredInstant;
}

export interface OidcArtifactRow {
  model: string;
  /** SHA-256 of the artifact's id: an opaque token cannot be read out of the store. */
  id_hash: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  grant_id: string | null;
  uid: string | null;
  consumed_at: StoredInstant | null;
  expires_at: StoredInstant | null;
}

export interface SigningKeyRow {
  kid: string;
  /** Encrypted JWK (src/core/shared/secrets.ts). */
  private_jwk: string;
  created_at: StoredInstant;
  retired_at: StoredInstant | null;
}

export interface WebSessionRow {
  session_hash: string;
  person_id: string;
  /** The one workspace whose provider vouched for the person; null for a sign-in that counts for all of theirs. */
  tenant_id: string | null;
  created_at: StoredInstant;
  expires_at: StoredInstant;
}
