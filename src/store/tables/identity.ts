import type { ColumnType, Generated } from "kysely";
import type { StoredInstant } from "./values.ts";

/** A workspace's OpenID provider, at which its members sign in. */
export interface SignInProviderRow {
  tenant_id: string;
  issuer: string;
  client_id: string;
  /** Encrypted (src/core/kernel/secrets.ts). */
  client_secret: string;
  /** Emails of the provider count as verified without its saying so. */
  trust_email: boolean;
  created_at: StoredInstant;
}

type StoredScope = "receivables:read" | "payment_links:write" | "tasks:write" | "receipts:push";

/** Something that leads to a tenant, whose own rows then say whether it does; the key is hashed where it may be long. */
export interface TenantRouteRow {
  kind:
    | "workspace"
    | "person"
    | "identity"
    | "connection"
    | "client"
    | "payment_integration"
    | "invitation"
    | "sign_in";
  key: string;
  tenant_id: string;
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
  /** Whose it is of what somebody without an account makes: the network it came from, or the person who opened it; else empty. */
  holder: Generated<string>;
  consumed_at: StoredInstant | null;
  expires_at: StoredInstant | null;
}

export interface SigningKeyRow {
  kid: string;
  /** Encrypted JWK (src/core/kernel/secrets.ts). */
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
  /** The person proved a second factor besides their password. */
  second_factor: Generated<boolean>;
  /** What the browser calls itself. */
  user_agent: Generated<string | null>;
  /** Where the person signed in from, as limits count it. */
  address: Generated<string | null>;
}

/** What a workspace asks of a sign-in; one without a row asks nothing more than a password. */
export interface SignInRuleRow {
  tenant_id: string;
  /** Passwords do not count, as long as the workspace has a provider. */
  provider_only: boolean;
  /** A password counts only with a second factor. */
  second_factor: boolean;
  updated_at: StoredInstant;
}

/** A mail that lets who reads it choose a new password, once. */
export interface PasswordResetRow {
  reset_id: string;
  person_id: string;
  /** SHA-256 of the token in the mail's link. */
  token_hash: string;
  /** The workspace whose provider had signed in who asked for it; null for anybody. */
  signed_in_at: string | null;
  created_at: StoredInstant;
  expires_at: StoredInstant;
  used_at: StoredInstant | null;
}

/** The secret that a person's authenticator app makes codes of. */
export interface SecondFactorRow {
  person_id: string;
  /** Encrypted (src/core/kernel/secrets.ts). */
  secret: string;
  /** Null until the first code proved that the app has the secret. */
  confirmed_at: StoredInstant | null;
  /** The time step of the last code that was used: earlier ones are refused. Kept as text in code. */
  last_step: string;
  created_at: StoredInstant;
}

export interface RecoveryCodeRow {
  person_id: string;
  /** SHA-256; used ones are deleted. */
  code_hash: string;
}

export interface AssistantConnectionRow {
  tenant_id: string;
  connection_id: string;
  member_id: string;
  client_id: string;
  client_name: string;
  client_uri: string | null;
  /** Host that the answer to the approval went to, or the scheme of an app; null where nobody noted it. */
  answered_at_host: Generated<string | null>;
  scopes: readonly StoredScope[];
  /** What its client asked for in requests that were allowed: lists as OAuth has them, with blanks. */
  asked_scopes: Generated<string[]>;
  /** Those of `scopes` that a person gave on the page of connections: tokens of before have them too. */
  given_scopes: Generated<readonly StoredScope[]>;
  /** Those that a person took away: tokens of an external issuer do not bring them back. */
  withheld_scopes: Generated<readonly StoredScope[]>;
  created_at: StoredInstant;
  last_used_at: StoredInstant | null;
  revoked_at: StoredInstant | null;
  /** The member who revoked it; null when it was revoked by a replayed token or an operator. */
  revoked_by: string | null;
}

export interface ApiKeyRow {
  tenant_id: string;
  key_id: string;
  name: string;
  permission: "admin" | "readonly";
  key_hash: string;
  created_at: StoredInstant;
  last_used_at: StoredInstant | null;
  /** Every request writes both: what it finds as the latest use moves here. */
  previous_use_at: Generated<StoredInstant | null>;
  revoked_at: StoredInstant | null;
}

export interface RateWindowRow {
  tenant_id: string;
  subject: string;
  window_start: StoredInstant;
  hits: number;
}

/** Which connection the tokens of an external issuer belong to. */
export interface ExternalConnectionRow {
  tenant_id: string;
  connection_id: string;
  identity_id: string;
  /** SHA-256 of issuer, subject, client and session. */
  key_hash: string;
  /** Since when its tokens may make a new connection, after this one was revoked. */
  allowed_again_at: StoredInstant | null;
}

export interface AttemptWindowRow {
  subject: string;
  window_start: StoredInstant;
  hits: number;
}
