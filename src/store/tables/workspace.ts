import type { Generated } from "kysely";
import type { StoredInstant } from "./values.ts";

export interface TenantRow {
  tenant_id: string;
  name: string;
  timezone: string;
  api_access: boolean;
  assistant_access: boolean;
  /** `read`: its connections only read, even where more was granted. */
  assistants: Generated<"read" | "write">;
  created_at: StoredInstant;
}

export interface PersonRow {
  person_id: string;
  /** Lower case. */
  email: string;
  name: string | null;
  password_hash: string | null;
  created_at: StoredInstant;
}

export interface MemberRow {
  tenant_id: string;
  member_id: string;
  person_id: string;
  /** Of the person, whom a tenant knows by their membership. */
  email: string;
  name: string | null;
  role: "admin" | "member";
  created_at: StoredInstant;
  removed_at: StoredInstant | null;
}

/** A workspace's word that the reader of an address's mail may join it, until then. */
export interface InvitationRow {
  tenant_id: string;
  invitation_id: string;
  /** Lower case. */
  email: string;
  role: "admin" | "member";
  /** SHA-256 of the token in the mail's link. */
  token_hash: string;
  /** The member who invited; their removal or demotion withdraws it. */
  invited_by: string;
  created_at: StoredInstant;
  expires_at: StoredInstant;
  accepted_at: StoredInstant | null;
  withdrawn_at: StoredInstant | null;
}
