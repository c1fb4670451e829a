import { beforeEach } from "vitest";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { connectIntegration } from "../../../src/core/payment-integrations/operations/connect-integration.ts";
import { paymentProviders } from "../../../src/core/provider-access/payment-providers.ts";
import { runWorkflows } from "../../../src/jobs/work-off.ts";
import { actIn } from "../../support/acting.ts";
import { type Book, openBook } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { type EmailedLink, emailedLinks, insertLinks, type LinkChange } from "../../support/emailed-links.ts";
import { linkRow } from "../../support/furnish.ts";
import { connectAssistant } from "../../support/rows.ts";
import { rowsOf } from "../../support/stored.ts";
import { standIn, useStore } from "../../support/use-store.ts";

/** A workspace that can charge USD, with an admin who is notified of tasks. */
export type Office = Awaited<ReturnType<typeof openOffice>>;

export async function openOffice(core: Core, timezone = "America/New_York") {
  const book = await openBook(core.store, { name: "Acme Ltd", timezone });
  const { tenantId } = book;
  await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["USD"] });
  const { member, person } = await connectAssistant(core.store, tenantId, { role: "admin" });
  return {
    book,
    tenantId,
    act: actIn(() => ({ core, tenantId })),
    links: () => linksIn(core, tenantId),
    assignee: { memberId: member.member_id, email: person.email },
    /** Runs what is due, and answers how many invoices were. */
    run: () => runWorkflows(core),
    queued: async () =>
      (await rowsOf(core.store, tenantId, "workflow_work", {}, "invoice_id")).map((row) => row.invoice_id),
    tasks: () => rowsOf(core.store, tenantId, "tasks", {}, "created_at"),
    mails: () => rowsOf(core.store, tenantId, "outgoing_mails", {}, "created_at"),
    executions: () => rowsOf(core.store, tenantId, "workflow_executions", {}, "started_at", "finished_at"),
  };
}

/** An office for each test of a suite, which begins at an instant: if none is given, at 11:00 on 10 March in New York. */
export function useOffice(open: Parameters<typeof useStore>[0], at = "2026-03-10T15:00:00.000Z") {
  const { store } = useStore(open);
  const clock = new TestClock();
  const core = withSandbox(testCore(store, clock));
  let made: Office | undefined;
  beforeEach(async () => {
    clock.set(at);
    made = await openOffice(core);
  });
  return { store, core, clock, office: standIn(() => made) };
}

/** The same core on a provider that makes every link, reachable by nobody. */
export function withSandbox(core: Core): Core {
  const { secrets, clock } = core;
  return { ...core, payments: paymentProviders({ secrets, clock, sandboxAt: "https://receivables.example.test" }) };
}

/** All of a workspace's links but those that came to nothing, oldest first. */
export function linksIn(core: Core, tenantId: string): Promise<EmailedLink[]> {
  return core.store.read(tenantId, async (tx) =>
    (await emailedLinks(tx, tenantId)).filter(({ state }) => state !== "withdrawn"),
  );
}

/** The first installment of an invoice. */
export const partOf = ({ invoice, installments }: Awaited<ReturnType<Book["invoice"]>>) => ({
  invoiceId: invoice.invoice_id,
  installmentId: installments[0]?.installment_id ?? "",
});

/** A link's email to somebody that is due at an instant. */
export const emailDue = (to: string, at: string) =>
  ({ email_status: "scheduled", email_to: to, email_send_at: at, email_next_attempt_at: at }) as const;

/** A live link of 100.00 USD on an installment, as a person made it. */
export async function insertLink(
  core: Core,
  tenantId: string,
  ids: { invoiceId: string; installmentId: string },
  row: LinkChange = {},
): Promise<string> {
  const now = core.clock.now().toISOString();
  return core.store.write(tenantId, async (tx) => {
    const { payment_integration_id } = await tx
      .selectFrom("payment_integrations")
      .select("payment_integration_id")
      .where("tenant_id", "=", tenantId)
      .executeTakeFirstOrThrow();
    const part = { tenant_id: tenantId, invoice_id: ids.invoiceId, installment_id: ids.installmentId };
    const link = linkRow(part, payment_integration_id, {
      ...{ amount_minor: "10000", amount: "100.00", provider_link_id: "sandbox", created_at: now },
      ...{ url: "https://pay.example.test/l/1", withdrawal_due: false, ...row },
    });
    await insertLinks(tx, [link]);
    return link.payment_link_id;
  });
}
