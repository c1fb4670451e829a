import type { StoredInstant, WorkColumns } from "./values.ts";

/** A message to one of the workspace's own people. */
export interface OutgoingMailRow extends WorkColumns {
  tenant_id: string;
  mail_id: string;
  kind: "task_assigned" | "invitation" | "assistant_connected" | "assistant_extended";
  recipient: string;
  /** The task, the invitation or the assistant connection. */
  subject_id: string;
  /** `cancelled`: its occasion had passed before it was sent. */
  status: "queued" | "sent" | "cancelled" | "failed";
  next_attempt_at: StoredInstant;
  created_at: StoredInstant;
  sent_at: StoredInstant | null;
}
