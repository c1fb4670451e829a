import type { Generated } from "kysely";
import type { StoredAmount, StoredInstant, WorkColumns } from "./values.ts";

/** Work while it is reserved, or its provider has yet to be told of its withdrawal. */
export interface PaymentLinkRow extends WorkColumns {
  tenant_id: string;
  payment_link_id: string;
  /** The request that reserved the link; links of one request come into being together, or none does. */
  reservation_id: string;
  /** JSON of whom the audit entry is to name once the reservation's outcome is known; null after that. */
  reserved_by: string | null;
  invoice_id: string;
  installment_id: string;
  payment_integration_id: string;
  /** Integer in the currency's ISO 4217 minor unit, as text. */
  amount_minor: string;
  amount: StoredAmount;
  currency: string;
  /** What the customer reads that they pay for. A provider is told the same at every attempt. */
  description: string;
  /** `reserved`: the provider has yet to make it; `withdrawn`: a reservation without result; else completions §4. */
  state: "reserved" | "active" | "paid" | "deactivated" | "withdrawn";
  provider_link_id: string | null;
  url: string | null;
  /** The provider has yet to be told that the link is withdrawn. */
  withdrawal_due: Generated<boolean>;
  created_by_kind: "api_key" | "member" | "workflow";
  created_by_id: string;
  /** The assistant connection it was issued through. */
  created_through: Generated<string | null>;
  created_at: StoredInstant;
  paid_at: StoredInstant | null;
  deactivated_at: StoredInstant | null;
}

/** The email of a link; work while it is scheduled and `next_attempt_at` is known. */
export interface LinkEmailRow extends WorkColumns {
  tenant_id: string;
  payment_link_id: string;
  status: "scheduled" | "sent" | "cancelled" | "failed";
  /** Where it was sent, tried, or was to go as it was cancelled; before that the customer's billing email as it was scheduled. */
  recipient: string;
  send_at: StoredInstant;
  sent_at: Generated<StoredInstant | null>;
  /** Null until its link is made. */
  next_attempt_at: StoredInstant | null;
  /** The message it goes out in, with those of other links of the customer; the same at every attempt. */
  message_id: Generated<string | null>;
  /** A person chose its time: it goes out then, even where the customer was sent another mail that day. */
  moved_by_person: Generated<boolean>;
  /** Of a cancelled one: its workflow was turned off, or its live link could not be mailed when it was due. Null is for good. */
  cancelled_until: Generated<"workflow_on" | "mailable" | null>;
  /**
   * Why it failed: a mail server rejected it, none took it for a day, or it cannot be put into a mail. Null unless it failed; so
   * are the three that follow.
   */
  failure: Generated<"rejected" | "not_taken" | "unsendable" | null>;
  /** The mail server's codes, such as `550 5.1.1`; null where none is known. */
  server_codes: Generated<string | null>;
  /** What else it said, cleaned, at most 300 characters. Data from outside. */
  server_words: Generated<string | null>;
  failed_at: Generated<StoredInstant | null>;
}
