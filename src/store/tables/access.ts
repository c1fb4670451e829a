import type { Generated } from "kysely";
import type { StoredInstant } from "./values.ts";

export interface AssistantConnectionRow {
  tenant_id: string;
  connection_id: string;
  member_id: string;
  client_id: string;
  client_name: string;
  client_uri: string | null;
  /** Host that the answer to the approval went to, or the scheme of an app; null where nobody noted it. */
  answered_at_host: Generated<string | null>;
  /** Space-separated. */
  scopes: string;
  /** Those of `scopes` that a person gave on the page of connections: tokens of before have them too. */
  given_scopes: Generated<string>;
  /** Those that a person took away: tokens of an external issuer do not bring them back. */
  withheld_scopes: Generated<string>;
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
