import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { insertOutgoingMail } from "../src/core/mail/outgoing-queries.ts";
import type { Transaction } from "../src/store/store.ts";
import { selectOwnerEmail } from "./connection-queries.ts";

/** Queues the mail to the person who approved an assistant, in the transaction of the approval (completions §11). */
export async function tellApprover(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  mail: { kind: "assistant_connected" | "assistant_extended"; tenantId: string; connectionId: string },
): Promise<void> {
  const { kind, tenantId, connectionId } = mail;
  const now = nowOf(core);
  await insertOutgoingMail(tx, {
    tenant_id: tenantId,
    mail_id: core.newId(),
    kind,
    recipient: await selectOwnerEmail(tx, { tenantId, connectionId }),
    subject_id: connectionId,
    status: "queued",
    next_attempt_at: now,
    lease_expires_at: null,
    created_at: now,
    sent_at: null,
  });
}
