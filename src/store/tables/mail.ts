import type { Generated } from "kysely";
import type { StoredInstant, WorkColumns } from "./values.ts";

/** Changes of what a person signs in with, which a mail tells them of. */
export const ACCOUNT_NOTICES = [
  "password_changed",
  "password_was_reset",
  "password_replaced",
  "password_set",
  "password_chosen",
  "factor_on",
  "factor_off",
  "factor_removed",
  "recovery_codes_renewed",
  "recovery_code_used",
  "sign_in_linked",
  "sign_in_unlinked",
] as const;
export type AccountNotice = (typeof ACCOUNT_NOTICES)[number];

/** What mails to a workspace's own people are about. */
export const MEMBER_MAILS = [
  "task_assigned",
  "invitation",
  "assistant_connected",
  "assistant_extended",
  "password_reset",
  "news",
  ...ACCOUNT_NOTICES,
] as const;

/** What members can be told of by mail as it happens. */
export type NewsTopic = "payments_received" | "mails_failed" | "receipts_failed" | "erp_refused" | "fell_overdue";

/** What a member is told by mail, and how far they have been told. */
export interface MemberNewsRow {
  tenant_id: string;
  member_id: string;
  /** Null until the member has chosen: those of their role. */
  topics: Generated<readonly NewsTopic[] | null>;
  pace: Generated<"morning" | "at_once">;
  told_until: StoredInstant;
  /** When there may be news to tell. */
  due_at: Generated<StoredInstant>;
}

/** A message to one of the workspace's own people. */
export interface OutgoingMailRow extends WorkColumns {
  tenant_id: string;
  mail_id: string;
  kind: (typeof MEMBER_MAILS)[number];
  recipient: string;
  /** The task, the invitation, the assistant connection, the password reset, the person whose account changed, or the member with news. */
  subject_id: string;
  /** `cancelled`: its occasion had passed before it was sent. */
  status: "queued" | "sent" | "cancelled" | "failed";
  next_attempt_at: StoredInstant;
  created_at: StoredInstant;
  sent_at: StoredInstant | null;
  /** The time that news are of. */
  news_from: Generated<StoredInstant | null>;
  news_until: Generated<StoredInstant | null>;
}

/** How a workspace's mails to customers look; a workspace without a row has the defaults. */
export interface MailSettingsRow {
  tenant_id: string;
  /** Language and region, such as `de-CH`, of customers without one of their own. */
  locale: string;
  /** Lines of the company's address. */
  postal_address: string | null;
  reply_to: string | null;
  /** Whom customers ask. */
  contact: string | null;
  /** PNG, as the service encoded it. */
  logo: Uint8Array | null;
  logo_width: number | null;
  logo_height: number | null;
  updated_at: StoredInstant;
}

/** How a customer is mailed; one without a row as all are. */
export interface CustomerMailingRow {
  tenant_id: string;
  customer_id: string;
  /** Language and region, such as `de-CH`; null for the workspace's. */
  locale: string | null;
  /** The workspace mails the customer nothing. */
  no_mail: boolean;
  updated_at: StoredInstant;
}
