import { describe, expect, it } from "vitest";
import { listAttention } from "../../../src/core/attention/list-attention.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { recomputeInvoices } from "../../../src/core/invoices/recompute.ts";
import { recordProviderEvent } from "../../../src/core/payments/events/record-provider-event.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { storesOf } from "../../support/stores.ts";
import { insertLink, linksIn, useOffice } from "../workflows/support.ts";

describe.each(storesOf(import.meta.url))("money in a currency that its invoice had before, on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  it("is not asked for again by Auto Generate, and is told of until it counts after all [completions.12.other-currency]", async () => {
    const { tenantId, book } = office;
    const customer = await book.customer({ email: "pay@globex.example.test" });
    const due = { due_date: "2026-03-12", original_amount: "100" };
    const { invoice, installments } = await book.invoice({ customer }, [due]);
    const invoiceId = invoice.invoice_id;
    const linkId = await insertLink(core, tenantId, {
      invoiceId,
      installmentId: installments[0]?.installment_id ?? "",
    });
    const [link] = await linksIn(core, tenantId);
    const bill = (currency: string) =>
      core.store.write(tenantId, async (tx) => {
        const integrations = tx.updateTable("payment_integrations").set({ currencies: ["EUR", "USD"] });
        await integrations.where("tenant_id", "=", tenantId).execute();
        await tx.updateTable("invoices").set({ currency }).where("tenant_id", "=", tenantId).execute();
        await recomputeInvoices(tx, core, tenantId, [invoiceId]);
      });
    const paid = () =>
      recordProviderEvent(core, tenantId, {
        event: {
          ...{ type: "payment_confirmed", providerEventId: core.newId(), occurredAt: clock.now().toISOString() },
          ...{ livemode: false, linkId, providerLinkId: null, providerPaymentId: "pi_1" },
          ...{ amountMinor: 10_000n, currency: "USD" },
        },
        vouchers: [{ integrationId: link?.payment_integration_id ?? "", livemode: null }],
      });
    const told = async () =>
      (await operate(core, tenantId, listAttention, {})).map(({ kind, amount }) => `${kind} ${amount}`);

    await bill("EUR");
    await paid();
    expect(await told()).toEqual(["payment_in_other_currency 100.00"]);
    await operate(core, tenantId, enableWorkflow, { type: "auto_generate", daysBeforeDue: 365 });
    await office.run();
    expect(await linksIn(core, tenantId)).toMatchObject([{ payment_link_id: linkId, state: "deactivated" }]);
    await bill("USD");
    await paid();
    expect(await told()).toEqual([]);
    await office.run();
    expect(await linksIn(core, tenantId)).toHaveLength(1);
  });
});
