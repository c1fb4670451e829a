import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operate } from "../../../src/core/gate/operator.ts";
import { formatMoney, money, sum } from "../../../src/core/kernel/money.ts";
import { openTask } from "../../../src/core/tasks/open-task.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import type { Mailer } from "../../../src/gateways/mail/mailer.ts";
import { sendLinkEmails } from "../../../src/jobs/send-mails.ts";
import type { InstallmentRow } from "../../../src/store/tables/invoices.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { A_STORE, times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";
import { insertLink, linksIn, type Office, openOffice, partOf, withSandbox } from "./support.ts";

const REASONS = ["disputed", "excluded", "closed", "no_billing_email"] as const;
const PART = fc.record({
  due_date: fc.constantFrom("2026-01-05", "2026-03-10", "2026-03-17", "2026-03-18", "2026-06-01", null),
  original_amount: fc.constantFrom("100.00", "0.01", "12345678.90", "7.005"),
  not_collectible_reason: fc.option(fc.constantFrom(...REASONS), { freq: 6 }),
  withdrawn: fc.constantFrom("never", "never", "never", "at this amount", "at another amount"),
});
const INVOICE = fc.record({
  customer: fc.nat(4),
  currency: fc.constantFrom("USD", "EUR", "JPY"),
  task: fc.constantFrom("none", "none", "open", "dismissed", "not_needed"),
  linkOfFirst: fc.boolean(),
  parts: fc.array(PART, { minLength: 1, maxLength: 3 }),
});
const BOOK = fc.record({
  days: fc.constantFrom(0, 7, 8, 365),
  minimum: fc.option(fc.constantFrom("50", "1000000"), { freq: 2 }),
  invoices: fc.array(INVOICE, { maxLength: 14 }),
});
type BookOf = typeof BOOK extends fc.Arbitrary<infer T> ? T : never;

describe.each(A_STORE)("the plan of a workflow on $name", ({ open }) => {
  const clock = new TestClock();
  const { store } = useStore(open);
  const core = withSandbox(testCore(store, clock));

  async function furnish(office: Office, { invoices }: BookOf): Promise<void> {
    const { tenantId, book } = office;
    const customers = [];
    for (let number = 0; number < 4; number += 1)
      customers.push(await book.customer({ email: `pay${number}@${tenantId}.test`, name: `Customer ${number}` }));
    for (const { customer, currency, task, linkOfFirst, parts } of invoices) {
      const rows = parts.map(({ withdrawn, ...part }): Partial<InstallmentRow> => {
        if (withdrawn === "never") return part;
        const amount = withdrawn === "at this amount" ? part.original_amount : "3.00";
        return { ...part, withdrawn_by_person_at: "2026-03-09T10:00:00.000Z", withdrawn_by_person_amount: amount };
      });
      const known = customers[customer];
      const shown = known === undefined ? { customer_email: `pay@${tenantId}.test` } : { customer: known };
      const ids = partOf(await book.invoice({ ...shown, currency }, rows));
      if (linkOfFirst) await insertLink(core, tenantId, ids);
      if (task === "none") continue;
      await core.store.write(tenantId, async (tx) => {
        await openTask(tx, core, { tenantId, invoiceId: ids.invoiceId, assigneeId: office.assignee.memberId });
        await tx.updateTable("tasks").set({ state: task }).where("invoice_id", "=", ids.invoiceId).execute();
      });
    }
  }

  it("says what then happens, and writes nothing [completions.7.plan-is-true] [completions.7.plan]", async () => {
    await fc.assert(
      fc.asyncProperty(BOOK, async (described) => {
        clock.set("2026-03-10T15:00:00.000Z");
        const office = await openOffice(core);
        const { tenantId, assignee } = office;
        await furnish(office, described);
        if (described.minimum !== null)
          await operate(core, tenantId, enableWorkflow, {
            type: "payment_arrangement",
            minimumAmount: described.minimum,
            assignee: assignee.email,
            confirmed: true,
          });
        const input = { type: "auto_generate", daysBeforeDue: described.days } as const;
        const before = await linksIn(core, tenantId);
        const tasksBefore = await office.tasks();
        const plan = await planEnabling(core, tenantId, input);
        expect(await linksIn(core, tenantId)).toEqual(before);

        const { plan: said } = await operate(core, tenantId, enableWorkflow, { ...input, confirmed: true });
        expect(said).toEqual(plan);
        await office.run();
        const known = new Set(before.map((link) => link.payment_link_id));
        const made = (await linksIn(core, tenantId)).filter((link) => !known.has(link.payment_link_id));
        expect(made.every((link) => link.state === "active")).toBe(true);
        expect(plan.links).toBe(made.length);
        const byCurrency = [...Map.groupBy(made, (link) => link.currency)].sort().map(([currency, links]) => ({
          currency,
          links: links.length,
          amount: formatMoney(sum(links.map((link) => money(link.amount))), currency),
        }));
        expect(plan.amounts).toEqual(byCurrency);
        expect(plan.tasks).toBe((await office.tasks()).length - tasksBefore.length);

        const sentTo: string[] = [];
        const mailer: Mailer = {
          async send({ to, messageId }) {
            sentTo.push(to);
            return { messageId, response: "ok" };
          },
        };
        const planned = new Set(made.map((link) => link.email_send_at));
        expect([...planned]).toEqual(plan.send_at === null ? [] : [plan.send_at]);
        if (plan.send_at !== null) clock.set(plan.send_at);
        await sendLinkEmails(core, { mailer, fromAddress: "a@b.test", publicOrigin: "https://b.test" });
        expect(sentTo).toHaveLength(plan.messages);
        expect(plan.recipients.map(({ email }) => email).sort()).toEqual(sentTo.sort());
        const shown = plan.recipients.reduce((links, recipient) => links + recipient.links, 0);
        expect(shown).toBe(plan.links);
      }),
      { numRuns: times(12, 150) },
    );
  });
});
