import { describe, expect, it } from "vitest";
import { readAuditTrail } from "../../../src/core/audit-trail/read-audit-trail.ts";
import { recordProviderEvent } from "../../../src/core/payments/events/record-provider-event.ts";
import type { PaymentEvent } from "../../../src/gateways/payments/gateway.ts";
import { setRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(storesOf(import.meta.url))("refunds that fail on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");

  const attention = async () => {
    const entries = await book.attention();
    return entries.map(({ kind, amount, detail }) => `${kind} ${amount} ${detail}`).sort();
  };
  const trail = async () => (await act(readAuditTrail, { operation: "recordFailedRefund" })).entries;
  async function paid() {
    const { id } = await book.issue();
    return { linkId: id, ...(await app.stripe.pay(id)) };
  }

  it("are put back, once, and told to people and in the trail [completions.12.refund-failed]", async () => {
    const { stripe } = app;
    const { paymentIntent } = await paid();
    const first = await stripe.refund(paymentIntent, 2_500);
    const second = await stripe.refund(paymentIntent, 1_000);
    app.clock.advance(1_000);
    const failed = await stripe.failRefund(paymentIntent);
    const [payment] = await book.payments();
    expect(payment).toMatchObject({ amount_minor: 10_000, refunded_minor: 2_500 });
    const told = (amount: string) => expect.stringMatching(`^refund_failed ${amount} re_`);
    expect(await attention()).toEqual([`payment_refunded 25.00 ${paymentIntent}`, told("10.00")]);
    const details = [
      ["failed", "10.00 USD"],
      ["refunded", "25.00 USD"],
    ];
    expect(await trail()).toMatchObject([{ actorKind: "provider", objectId: payment?.id, details }]);

    // What is told again, or late, counts no second time.
    for (const event of [...failed, ...second, ...first]) expect(await stripe.deliver(event)).toEqual([200]);
    expect(await book.payments()).toMatchObject([{ refunded_minor: 2_500 }]);
    expect(await trail()).toHaveLength(1);

    // With the last of them, nothing is to be taken back in the ERP any more.
    app.clock.advance(1_000);
    await stripe.failRefund(paymentIntent, "canceled");
    expect(await book.payments()).toMatchObject([{ refunded_minor: 0 }]);
    expect(await attention()).toEqual([told("10.00"), told("25.00")]);
  });

  const tell = async (happened: readonly PaymentEvent[], order: string) => {
    const vouchers = [{ integrationId: book.integrationId, livemode: false }] as const;
    for (const event of [...order].flatMap((which) => happened[Number(which)] ?? []))
      await recordProviderEvent(app.core, book.tenantId, { event, vouchers });
  };
  /** What events of a payment have, `seconds` after another. */
  const later = (providerPaymentId: string, seconds: number) => ({
    ...{ providerPaymentId, livemode: false, currency: "USD", providerEventId: `evt_${seconds}` },
    occurredAt: `2026-11-20T09:00:0${seconds}.000Z`,
  });

  it.each([["0123"], ["3210"], ["2031"], ["1320"]])(
    "are counted between others in any order they are told, as %s [completions.12.refund-failed]",
    async (order) => {
      const { linkId, paymentIntent } = await paid();
      const happened: PaymentEvent[] = [
        { type: "payment_refunded", linkId, refundedMinor: 1_000n, ...later(paymentIntent, 0) },
        { type: "refund_failed", refundId: "re_1", amountMinor: 1_000n, ...later(paymentIntent, 1) },
        { type: "payment_refunded", linkId, refundedMinor: 1_000n, ...later(paymentIntent, 2) },
        { type: "payment_refunded", linkId, refundedMinor: 1_300n, ...later(paymentIntent, 3) },
      ];
      await tell(happened, order);
      expect(await book.payments()).toMatchObject([{ refunded_minor: 1_300 }]);
      expect(await attention()).toEqual([`payment_refunded 13.00 ${paymentIntent}`, "refund_failed 10.00 re_1"]);
    },
  );

  it.each([["012"], ["021"], ["210"], ["120"], ["01212"]])(
    "are not taken from a smaller one that is told of the same second, as %s [completions.12.refund-failed]",
    async (order) => {
      const { linkId, paymentIntent } = await paid();
      const happened: PaymentEvent[] = [
        { type: "payment_refunded", linkId, refundedMinor: 3_000n, ...later(paymentIntent, 0) },
        { type: "refund_failed", refundId: "re_1", amountMinor: 3_000n, ...later(paymentIntent, 5) },
        { type: "payment_refunded", linkId, refundedMinor: 2_000n, ...later(paymentIntent, 5) },
      ];
      await tell(happened, order);
      expect(await book.payments()).toMatchObject([{ refunded_minor: 2_000 }]);
      expect(await attention()).toEqual([`payment_refunded 20.00 ${paymentIntent}`, "refund_failed 30.00 re_1"]);
    },
  );

  it("change nothing where a later report was told first, nor does a larger one of before [completions.12.refund-failed]", async () => {
    const { linkId, paymentIntent } = await paid();
    const happened: PaymentEvent[] = [
      { type: "payment_refunded", linkId, refundedMinor: 1_000n, ...later(paymentIntent, 1) },
      { type: "refund_failed", refundId: "re_1", amountMinor: 500n, ...later(paymentIntent, 2) },
      { type: "payment_refunded", linkId, refundedMinor: 800n, ...later(paymentIntent, 3) },
    ];
    for (const which of "201") {
      await tell(happened, which);
      expect(await book.payments()).toMatchObject([{ refunded_minor: 800 }]);
    }
  });

  it.each([["012"], ["0121"], ["021"], ["02112"]])(
    "are told to people of money in another currency too, as %s [completions.12.refund-failed]",
    async (order) => {
      const { linkId } = await paid();
      const happened: PaymentEvent[] = [
        {
          ...{ type: "payment_confirmed", linkId, providerLinkId: null, amountMinor: 9_000n },
          ...later("pi_other", 0),
          currency: "EUR",
        },
        { type: "payment_refunded", linkId, refundedMinor: 9_000n, ...later("pi_other", 1), currency: "EUR" },
        { type: "refund_failed", refundId: "re_1", amountMinor: 9_000n, ...later("pi_other", 2), currency: "EUR" },
      ];
      await tell(happened, order);
      expect(await attention()).toEqual(["payment_in_other_currency 90.00 pi_other", "refund_failed 90.00 re_1"]);
      expect(await trail()).toMatchObject([{ actorKind: "provider", objectId: linkId }]);
      expect(await book.payments()).toMatchObject([{ refunded_minor: 0 }]);
    },
  );

  it("stay with their payment where its invoice's currency comes back to its own [completions.12.refund-failed]", async () => {
    const { id: linkId } = await book.issue();
    const bill = (currency: string) => setRows(store, book.tenantId, "invoices", { currency });
    const happened: PaymentEvent[] = [
      {
        ...{ type: "payment_confirmed", linkId, providerLinkId: null, amountMinor: 10_000n },
        ...later("pi_1", 0),
      },
      { type: "payment_refunded", linkId, refundedMinor: 3_000n, ...later("pi_1", 1) },
      { type: "refund_failed", refundId: "re_1", amountMinor: 3_000n, ...later("pi_1", 2) },
    ];
    await bill("EUR");
    await tell(happened, "012");
    expect(await attention()).toContain("payment_in_other_currency 100.00 pi_1");
    await bill("USD");
    await tell(happened, "012");
    expect(await attention()).toEqual(["refund_failed 30.00 re_1"]);
    expect(await book.payments()).toMatchObject([{ amount_minor: 10_000, refunded_minor: 0 }]);
  });
});
