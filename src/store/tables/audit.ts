import type { ColumnType } from "kysely";
import type { StoredInstant } from "./values.ts";

export interface AuditEntryRow {
  tenant_id: string;
  entry_id: string;
  at: StoredInstant;
  /** completions §1. */
  actor_kind: "api_key" | "assistant" | "person" | "operator" | "system" | "provider";
  /** Key, member or payment integration id; null for an operator or the service itself. */
  actor_id: string | null;
  /** The job or workflow of the service that acted, or an operator's name on their machine. */
  actor_name: string | null;
  /** The assistant connection the person acted through, if any. */
  connection_id: string | null;
  operation: string;
  object_type: string | null;
  object_id: string | null;
  outcome: "succeeded" | "refused" | "failed";
  request_id: string;
  /** What else there is to say, as JSON, such as the address of a sign-in. */
  details: ColumnType<AuditDetails | null, string | null | undefined, never>;
}

/** Short texts by name: an address, a way to sign in, scopes. */
export type AuditDetails = Readonly<Record<string, string>>;
