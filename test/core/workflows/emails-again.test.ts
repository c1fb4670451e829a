import { describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { getPaymentLink } from "../../../src/core/payment-links/operations/get-payment-link.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";
import { linksIn, openOffice, withSandbox } from "./support.ts";

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
