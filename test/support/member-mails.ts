import { randomUUID } from "node:crypto";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { requestReset } from "../../auth/reset-password.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { queueMail } from "../../src/core/mail/outgoing-queries.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { ACCOUNT_NOTICES, type OutgoingMailRow } from "../../src/store/tables/mail.ts";
import { openOffice } from "../core/workflows/support.ts";
import { actAs } from "./acting.ts";
import { everyRow } from "./every-row.ts";
import { connectAssistant } from "./rows.ts";

/** Texts from outside that mails to members show. */
export interface MailedNames {
  workspace: string;
  person: string;
  customer: string;
  client: string;
  /** Host that an assistant's answer went to. */
  host?: string;
}

/** Queues every kind of mail to members, about things with these names. */
export async function queueEveryMail(core: Core, names: MailedNames): Promise<void> {
  const office = await openOffice(core);
  const { tenantId, assignee } = office;
  const { connection, member } = await connectAssistant(core.store, tenantId, { role: "admin" });
  await everyRow(core.store, async (tx) => {
    await tx.updateTable("tenants").set({ name: names.workspace }).where("tenant_id", "=", tenantId).execute();
    await tx.updateTable("members").set({ name: names.person }).where("tenant_id", "=", tenantId).execute();
    // Only somebody with a password is mailed a reset.
    await tx.updateTable("people").set({ password_hash: "none" }).where("email", "=", assignee.email).execute();
    const client = { client_name: names.client, answered_at_host: names.host ?? null };
    await tx.updateTable("assistant_connections").set(client).where("tenant_id", "=", tenantId).execute();
  });
  const customer = await office.book.customer({ name: names.customer });
  await office.book.invoice({ customer, invoice_number: names.customer.slice(0, 60), total_amount: "100" }, [{}]);
  const arrangement = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
  await operate(core, tenantId, enableWorkflow, arrangement);
  await office.run();
  const by = { tenantId, memberId: assignee.memberId };
  await actAs(core, by, inviteMember, { email: `${randomUUID()}@example.test`, role: "admin" });
  await requestReset(core, assignee.email, { address: "192.0.2.1", requestId: "r" });
  const mail = (kind: OutgoingMailRow["kind"], recipient: string, subject_id: string) => ({
    ...{ tenant_id: tenantId, kind, recipient, subject_id },
  });
  await everyRow(core.store, async (tx) => {
    for (const kind of ["assistant_connected", "assistant_extended"] as const)
      await queueMail(tx, core, mail(kind, member.email, connection.connection_id));
    const now = core.clock.now().toISOString();
    const key = { tenant_id: tenantId, member_id: assignee.memberId };
    const refused = { status: "requires_reauthentication", status_since: now, name: names.customer } as const;
    await tx.updateTable("erp_connections").set(refused).where("tenant_id", "=", tenantId).execute();
    await tx
      .insertInto("member_news")
      .values({ ...key, told_until: now, due_at: now })
      .execute();
    const period = { news_from: "2000-01-01T00:00:00.000Z", news_until: now };
    await queueMail(tx, core, { ...mail("news", assignee.email, assignee.memberId), ...period });
    for (const kind of ACCOUNT_NOTICES) await queueMail(tx, core, mail(kind, assignee.email, assignee.memberId));
  });
}
