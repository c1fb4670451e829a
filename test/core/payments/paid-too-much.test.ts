import { describe, expect, it } from "vitest";
import { listAttention } from "../../../src/core/attention/list-attention.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { settleLocalInvoice } from "../../../src/core/invoices/operations/settle-local-invoice.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { recordProviderEvent } from "../../../src/core/payments/events/record-provider-event.ts";
import { callOnce } from "../../support/collecting.ts";
import { insertLinks } from "../../support/emailed-links.ts";
import { linkRow } from "../../support/furnish.ts";
import { call } from "../../support/lists.ts";
import { erpInvoice, usePushWorld } from "../../support/pushes.ts";
import { STORES } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(STORES)("an invoice made in the service that is paid by link on $name", ({ open }) => {
  const { app, book, act } = useCollecting(open, "stripe");

  it.each([
    ["100.00", []],
    [
      "140.00",
      [
        {
          ...{ kind: "payment_over_owed", amount: "40.00" },
          advice: { say: "Refund what is too much at the payment provider." },
        },
      ],
    ],
  ])(
    "is paid too much only by what none of its installments owes after %s came another way, and no ERP is named [completions.12.overpaid]",
    async (amount, concerns) => {
      const { id, installment_ids: parts } = await act(createLocalInvoice, {
        ...{ number: "L-1", currency: "USD", amount: "300.00", invoiceDate: null, dueDate: null },
        ...{ customerName: "Riverside", customerEmail: "ap@river.example", confirmed: true },
        installments: ["200.00", "100.00"].map((part, index) => ({ dueDate: `2026-12-0${index + 1}`, amount: part })),
      });
      const asked = { invoice_id: id, installment_id: parts[0] };
      const link = await callOnce(app.core, createPaymentLink, book.admin, asked);
      const checkout = app.stripe.open(link.id);
      const transfer = { invoiceId: id, amount, date: "2026-01-05", reference: "Transfer" };
      await act(settleLocalInvoice, transfer);
      await app.stripe.complete(checkout.id);
      const paid = { collection_status: "paid", collection_outstanding: "0.00", amount_collected: "200.00" };
      expect(await call(app.core, getInvoice, book.reader, { invoice_id: id })).toMatchObject(paid);
      expect(await act(listAttention, {})).toMatchObject(concerns);
    },
  );
});

describe.each(STORES)("what was paid too much of an ERP's invoice, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, act } = world;
  const ID = String(erpInvoice("one", [1n]).CustomerTransactionId);

  const told = async () =>
    (await act(listAttention, {}))
      .filter(({ kind }) => kind !== "payment_refunded" && kind !== "refund_failed")
      .map(({ kind, amount }) => `${kind} ${amount}`);
  /** The ERP shows an invoice of that total, and so much of it paid directly. */
  async function billed(total: bigint, direct: bigint) {
    world.erp.putInvoices(erpInvoice("one", [total], { paid: direct }));
    clock.advance(60_000);
    await world.pull();
    return told();
  }
  async function hidden() {
    world.erp.removeInvoices(ID);
    clock.advance(60_000);
    await world.pull();
  }
  async function tell(event: object, linkId: string, integrationId: string) {
    const occurredAt = clock.now().toISOString();
    const given = {
      providerEventId: core.newId(),
      occurredAt,
      livemode: false,
      currency: "USD",
      linkId,
      ...event,
    };
    const vouchers = [{ integrationId, livemode: null }] as const;
    await recordProviderEvent(core, world.tenantId, { event: given as never, vouchers });
    clock.advance(1_000);
  }
  /** Paid through the open checkout of a withdrawn link; what it is told by then is told of it. */
  async function paidLate(amountMinor = 100_000n, providerPaymentId = "pi_1") {
    const { tenantId } = world;
    const [debt] = (await world.invoice("one")).installments;
    if (debt === undefined) throw new Error("an invoice without installments");
    const row = await core.store.write(tenantId, async (tx) => {
      const { payment_integration_id: id } = await tx
        .selectFrom("payment_integrations")
        .select("payment_integration_id")
        .where("tenant_id", "=", tenantId)
        .executeTakeFirstOrThrow();
      const asked = { amount_minor: `${amountMinor}`, amount: `${amountMinor / 100n}` };
      const link = { ...linkRow(debt, id, { state: "deactivated", ...asked }), provider_link_id: null };
      await insertLinks(tx, [link]);
      return link;
    });
    const confirmed = { type: "payment_confirmed", providerLinkId: null, providerPaymentId, amountMinor };
    await tell(confirmed, row.payment_link_id, row.payment_integration_id);
    const of = [row.payment_link_id, row.payment_integration_id] as const;
    const refund = (refundedMinor: bigint) =>
      tell({ type: "payment_refunded", providerPaymentId, refundedMinor }, ...of);
    const fail = (amount: bigint) =>
      tell({ type: "refund_failed", refundId: "re_1", providerPaymentId, amountMinor: amount }, ...of);
    return { refund, fail };
  }

  it.each([
    [100_000n, "1000.00"],
    [40_000n, "400.00"],
  ] as const)(
    "stays so when the ERP hides the invoice for a time, after %s came directly [completions.12.overpaid]",
    async (direct, over) => {
      await billed(100_000n, direct);
      await paidLate();
      expect(await told()).toEqual([`payment_over_owed ${over}`]);
      await hidden();
      expect(await billed(100_000n, direct)).toEqual([`payment_over_owed ${over}`]);
    },
  );

  it("is told of what was paid meanwhile only as far as the invoice is paid when it is back [completions.12.overpaid]", async () => {
    await billed(100_000n, 40_000n);
    await hidden();
    await paidLate();
    expect(await told()).toEqual(["payment_over_owed 1000.00"]);
    expect(await billed(100_000n, 40_000n)).toEqual(["payment_over_owed 400.00"]);
  });

  it("follows the invoice's total down and up again, beside what came directly [completions.12.fell-below-paid]", async () => {
    await billed(100_000n, 100_000n);
    await paidLate();
    expect(await billed(50_000n, 50_000n)).toEqual(["payment_over_owed 1000.00"]);
    expect(await billed(100_000n, 100_000n)).toEqual(["payment_over_owed 1000.00"]);
  });

  it("ends where the invoice comes to owe it, and is told of again where it does not [completions.12.fell-below-paid]", async () => {
    await billed(100_000n, 40_000n);
    await paidLate();
    expect(await told()).toEqual(["payment_over_owed 400.00"]);
    expect(await billed(150_000n, 40_000n)).toEqual([]);
    expect((await world.invoice("one")).collection_outstanding).toBe("100");
    expect(await billed(100_000n, 40_000n)).toEqual(["payment_over_owed 400.00"]);
  });

  it("follows what is refunded, of whichever payment, and what of that fails [completions.12.overpaid] [completions.12.refunds]", async () => {
    await billed(100_000n, 0n);
    const first = await paidLate(60_000n, "pi_1");
    const second = await paidLate(60_000n, "pi_2");
    expect(await told()).toEqual(["payment_over_owed 200.00"]);
    await second.refund(15_000n);
    expect(await told()).toEqual(["payment_over_owed 50.00"]);
    await first.refund(60_000n);
    expect(await told()).toEqual([]);
    await first.fail(60_000n);
    expect(await told()).toEqual(["payment_over_owed 50.00"]);
  });
});
