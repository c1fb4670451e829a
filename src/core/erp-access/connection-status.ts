import { z } from "zod";
import type { ErpConnectionRow, SyncRunRow } from "../../store/tables/erp.ts";

/** service.md §3.1. */
export const ErpConnectionStatus = z.enum([
  "connected",
  "requires_reauthentication",
  "temporarily_unavailable",
  "disconnected",
]);

/** How a call to an ERP ended: it answered, or why not (completions §4). */
export type ErpContact = "answered" | NonNullable<SyncRunRow["error_code"]>;

/** What a call to an ERP tells about its connection. */
interface ContactMeaning {
  /** Null leaves the status unchanged. */
  readonly status: Exclude<ErpConnectionRow["status"], "disconnected"> | null;
  /** Whether the ERP gave any answer; null when the call tells nothing about it. */
  readonly hasAnswered: boolean | null;
}

/** What every call to an ERP means for its connection, be it a pull, a pushed receipt or the check of a new password (completions §7). */
export const MEANING_OF_CONTACT: Readonly<Record<ErpContact, ContactMeaning>> = {
  answered: { status: "connected", hasAnswered: true },
  authentication_failed: { status: "requires_reauthentication", hasAnswered: true },
  erp_unreachable: { status: "temporarily_unavailable", hasAnswered: false },
  erp_rejected: { status: null, hasAnswered: true },
  interrupted: { status: null, hasAnswered: null },
  internal_error: { status: null, hasAnswered: null },
};
