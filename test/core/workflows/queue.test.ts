import { describe, expect, inject, it } from "vitest";
import { lockTenantFigures } from "../../../src/core/collection/collection-queries.ts";
import { WORKFLOW_WORK } from "../../../src/core/collection/to-examine-queries.ts";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import { claimWork } from "../../../src/core/gate/claims.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { getPaymentLink } from "../../../src/core/payment-links/operations/get-payment-link.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { ConfirmationNeeded } from "../../../src/core/workflows/plan-schema.ts";
import { secondsWanted } from "../../support/backlog.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { onOwnDatabase, storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";
import { linksIn, openOffice, withSandbox } from "./support.ts";

const MINUTE = 60_000;

describe.each(storesOf(import.meta.url))("the queue of the workflows on $name", ({ open }) => {
  const { store } = useStore(open);

  it("is as old as its oldest invoice has waited [contract.operation.metrics]", async () => {
    const clock = new TestClock();
    const core = testCore(store, clock);
    const office = await openOffice(core);
    const waited = () => secondsWanted(core, office.tenantId, "workflows");
    const customer = await office.book.customer({ email: "pay@globex.example.test" });
    await office.book.invoice({ customer }, [{}]);
    const enable = () => office.act(enableWorkflow, { type: "auto_generate", daysBeforeDue: 365 });
    expect(await waited()).toBe(0);

    await enable();
    expect(await waited()).toBe(0);
    clock.advance(MINUTE);
    await enable();
    expect(await waited()).toBe(60);

    // Taken up, and lost: it is wanted since it was queued, or since something queued it again.
    expect(await claimWork(core, WORKFLOW_WORK, { leaseMs: 2 * MINUTE, limit: 1 })).toHaveLength(1);
    clock.advance(3 * MINUTE);
    expect(await waited()).toBe(240);
    await enable();
    expect(await waited()).toBe(0);
  });
});

const INVOICES = 26;

describe.skipIf(inject("postgresUrl") === null)("enabling a workflow in a workspace with many invoices", () => {
  it("is planned without the lock that deliveries and payments take, and does what was planned", () =>
    onOwnDatabase(async (store) => {
      const core = withSandbox(testCore(store, new TestClock("2026-03-10T15:00:00.000Z")));
      const { book, tenantId, queued } = await openOffice(core);
      const customer = await book.customer({ email: "pay@globex.example.test" });
      for (let made = 0; made < INVOICES; made += 1) await book.invoice({ customer }, [{ due_date: "2026-03-12" }]);
      const enable = (confirmed: boolean) =>
        operate(core, tenantId, enableWorkflow, { type: "auto_generate", confirmed });

      await store.write(tenantId, async (tx) => {
        await lockTenantFigures(tx, tenantId);
        await expect(enable(false)).rejects.toThrow(ConfirmationNeeded);
      });
      expect((await enable(true)).plan.links).toBe(INVOICES);
      expect(await queued()).toHaveLength(INVOICES);
    }));
});

describe.each(storesOf(import.meta.url))("emails that Auto Generate scheduled on $name", ({ open }) => {
  // 11:00 on 10 March in New York.
  const clock = new TestClock("2026-03-10T15:00:00.000Z");
  const { store } = useStore(open);
  const core = withSandbox(testCore(store, clock));

  it("move with the workflow's settings, and are scheduled again once it is on again [completions.7.emails-again]", async () => {
    const office = await openOffice(core);
    const { tenantId, book } = office;
    const customer = await book.customer({ email: "pay@globex.example.test" });
    for (const due_date of ["2026-03-01", "2026-03-16"]) await book.invoice({ customer }, [{ due_date }]);
    const type = "auto_generate";
    const emails = async () =>
      (await linksIn(core, tenantId)).map((link) => `${link.email_status} ${link.email_send_at}`).sort();
    await operate(core, tenantId, enableWorkflow, { type, sendAt: "09:00" });
    await office.run();
    expect(await emails()).toEqual(Array(2).fill("scheduled 2026-03-11T13:00:00.000Z"));

    await operate(core, tenantId, enableWorkflow, { type, sendAt: "14:30" });
    expect(await emails()).toEqual(Array(2).fill("scheduled 2026-03-10T18:30:00.000Z"));
    await operate(core, tenantId, enableWorkflow, { type, daysBeforeDue: 3 });
    const moved = ["scheduled 2026-03-10T18:30:00.000Z", "scheduled 2026-03-13T18:30:00.000Z"];
    expect(await emails()).toEqual(moved);

    expect(await operate(core, tenantId, disableWorkflow, { type })).toMatchObject({ emails_cancelled: 2 });
    expect(await planEnabling(core, tenantId, { type })).toMatchObject({ links: 0, emails_again: 2 });
    expect((await emails()).every((email) => email.startsWith("cancelled"))).toBe(true);
    expect(await operate(core, tenantId, enableWorkflow, { type })).toMatchObject({ plan: { emails_again: 2 } });
    expect(await emails()).toEqual(moved);
    expect(await planEnabling(core, tenantId, { type })).toMatchObject({ emails_again: 0 });
  });

  it("name the customer's billing email of now while they are scheduled [completions.4.link]", async () => {
    const office = await openOffice(core);
    const { tenantId, book } = office;
    const customer = await book.customer({ email: "pay@globex.example.test" });
    await book.invoice({ customer }, [{ due_date: "2026-03-01" }]);
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate" });
    await office.run();
    const email = "other@globex.example.test";
    await operate(core, tenantId, setCustomerEmail, { customerId: customer.customer_id, email });
    const [link] = await linksIn(core, tenantId);
    const actor = { kind: "api_key", tenantId, keyId: customer.customer_id, permission: "readonly" } as const;
    const input = { payment_link_id: link?.payment_link_id };
    const shown = await getPaymentLink.call(actor, input, { core, requestId: "req_test" });
    expect(shown.email).toMatchObject({ status: "scheduled", to: email });
  });
});
