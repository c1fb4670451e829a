import { describe, expect, it } from "vitest";
import { listAttention } from "../../src/core/attention/list-attention.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { money } from "../../src/core/kernel/money.ts";
import { pushFailedPayments } from "../../src/core/payments/operations/push-failed-payments.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { type ConnectGateway, pullInvoices } from "../../src/jobs/pull-invoices.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { quickConnect, startLed } from "../support/pulls.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;
const ON_TOP = {
  erp_push_status: "failed",
  erp_push_error: { code: expect.stringMatching(/^balance_(less|fell)$/) },
  erp_receipt_number: null,
  push_retryable: false,
};

describe.each(A_STORE)("a receipt on a balance that shows its money, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, payments, invoice, act } = world;

  const retry = (paymentId: string, anyway = false) => act(pushPayment, { paymentId, anyway });
  const settle = (paymentId: string, receiptNumber: string) => act(settleReceiptByHand, { paymentId, receiptNumber });
  const byHand = (amount: string, number = "CHK-1", invoice = "one", installment = 1) =>
    erp.enterReceipt({ invoice, installment, amount, number });

  it("is not created at the first push, and the reason names both amounts and both ways on [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    byHand("400");
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
    const [owed, before] = ["600", "1000"].map((amount) => ({ amount, currency: "USD" }));
    expect((await payment(id)).erp_push_error).toEqual({ code: "balance_fell", owed, before });
    expect(erp.receipts).toHaveLength(1);
  });

  it("is not created by erp push nor by a retry, but once where a person says so [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await push();
    erp.control({ mode: "ok" });
    byHand("400");
    await pull();
    await act(pushFailedPayments, { connectionId: world.connectionId });
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
    await retry(id);
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
    expect(erp.receipts).toHaveLength(1);

    // What the person said outlasts an unreachable ERP, and the push that it was said for.
    await retry(id, true);
    erp.control({ mode: "503" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_retryable: true, push_anyway: true });
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", push_anyway: false });
    expect(erp.receipts.map((one) => one.amount)).toEqual(["400", "400"]);
  });

  it("waits for a person although the ERP falls silent once its balance was read [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    byHand("400");
    erp.control({ resource: "standardReceipts", mode: "503", after: 1 });
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
  });

  it("is not created at the retry after 15 minutes [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    erp.control({ mode: "503" });
    await push();
    expect(await payment(id)).toMatchObject({ push_retryable: true });
    erp.control({ mode: "ok" });
    byHand("500");
    clock.advance(15 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
  });

  it("says what a person said once only [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    byHand("400");
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await retryFailed(id, true);
    erp.control({ mode: "ok" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_anyway: false });
    await retryFailed(id, false);
    expect(await payment(id)).toMatchObject(ON_TOP);

    async function retryFailed(paymentId: string, anyway: boolean) {
      await push();
      await retry(paymentId, anyway);
      await push();
    }
  });

  it("is found by its number whatever the balance shows [completions.12.not-on-top] [completions.7.push-found]", async () => {
    const id = await pay("one", "400");
    erp.control({ resource: "standardReceipts", mode: "drop", when: "after-effect", after: 1 });
    await push();
    byHand("600");
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
    expect(erp.receipts).toHaveLength(2);
  });

  it("is created where less went off the balance than the payment, or the whole was paid before [completions.12.not-on-top]", async () => {
    const partly = await pay("one", "400");
    byHand("399.99");
    await push();
    expect((await payment(partly)).erp_push_status).toBe("applied");
    byHand("200.01", "CHK-2");
    clock.advance(MINUTE);
    await pull();
    const late = await pay("one", "100");
    await push();
    expect(await payment(late)).toMatchObject({ erp_push_status: "posted" });
    const unapplied = { kind: "receipt_not_applied", payment_id: late };
    expect(await act(listAttention, {})).toMatchObject([unapplied]);
  });

  it("is not held up by the service's own receipts, however many and however far they are [completions.12.own-receipts]", async () => {
    for (let count = 0; count < 3; count += 1) await pay("one", "100");
    await push();
    clock.advance(MINUTE);
    // Recorded before the pull, pushed after it.
    await pay("one", "200");
    await pull();
    clock.advance(MINUTE);
    await pay("one", "250");
    await push();
    await push();
    expect((await payments()).map((row) => row.erp_push_status)).toEqual(Array(5).fill("applied"));
  });

  it("is held up by what is left after them [completions.12.own-receipts] [completions.12.not-on-top]", async () => {
    const [first, second] = [await pay("one", "300"), await pay("one", "300")];
    byHand("300");
    await push();
    expect(await payment(first)).toMatchObject(ON_TOP);
    expect(await payment(second)).toMatchObject(ON_TOP);
    await settle(first, "CHK-1");
    await retry(second);
    await push();
    expect(await payment(second)).toMatchObject({ erp_push_status: "applied" });
  });

  it("is held up although another, entered by hand before it was recorded, is settled later [completions.12.own-receipts]", async () => {
    const first = await pay("one", "100");
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await push();
    byHand("100");
    clock.advance(MINUTE);
    await pull();
    const second = await pay("one", "100");
    await push();
    erp.control({ mode: "ok" });
    byHand("100", "CHK-2");
    clock.advance(MINUTE);
    await settle(first, "CHK-1");
    await retry(second);
    await push();
    expect(await payment(second)).toMatchObject(ON_TOP);
  });

  /** A sync that began before a push, and read the balance after it. */
  const pullAround = async (pushed: () => Promise<unknown>) => {
    const { tenantId, connectionId } = world;
    const led = await startLed(core, tenantId, connectionId);
    clock.advance(1_000);
    await pushed();
    clock.advance(1_000);
    await pullInvoices(core, quickConnect, led, new AbortController().signal);
    clock.advance(1_000);
  };

  it("is held up although a sync under way had read the service's own receipt already [completions.12.own-receipts] [completions.12.not-on-top]", async () => {
    await pay("one", "100");
    await pullAround(push);
    const second = await pay("one", "100");
    byHand("100");
    await push();
    expect(await payment(second)).toMatchObject(ON_TOP);
    await settle(second, "CHK-1");
    clock.advance(MINUTE);
    // What the first two took off is known to be in it by then, so that nothing is charged with it again.
    await pay("one", "100");
    await pullAround(push);
    await pay("one", "100");
    await push();
    expect((await payments()).map((row) => row.erp_push_status)).toEqual(Array(4).fill("applied"));
  });

  it("is not held up by several of the service's that a sync under way had read in part [completions.12.own-receipts]", async () => {
    await pay("one", "100");
    await pay("one", "100");
    await pullAround(() => push({ atOnce: 1 }));
    await pay("one", "100");
    await pullAround(push);
    await pay("one", "150");
    await push();
    expect((await payments()).map((row) => row.erp_push_status)).toEqual(Array(4).fill("applied"));
  });

  it.each(["retried", "settled by hand"])(
    "is not charged for one that is %s later with what a third took off before [completions.12.own-receipts]",
    async (how) => {
      const [settled, first] = [await pay("two", "100"), await pay("one", "100")];
      clock.advance(MINUTE);
      await push();
      const refused = await pay("one", "100");
      erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
      await push();
      erp.control({ mode: "ok" });
      clock.advance(MINUTE);
      await pull();
      clock.advance(MINUTE);
      const last = await pay("one", "100");
      if (how === "retried") await retry(refused);
      else byHand("100");
      if (how === "retried") await push({ atOnce: 1 });
      else await settle(refused, "CHK-1");
      await push();
      for (const id of [settled, first, refused, last]) expect((await payment(id)).erp_push_status).toBe("applied");
    },
  );

  const learntLate = async (amount: string, paidAt: string) => {
    const { tenantId } = world;
    const { invoice_id: invoiceId, installments } = await invoice("one");
    const payment = { tenantId, invoiceId, installmentId: installments[0]?.installment_id ?? null, paidAt };
    return core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, { ...payment, amount: money(amount) }));
  };

  it("that is learnt of after the ERP's users entered the money and a sync read it waits for a person [completions.12.not-on-top]", async () => {
    clock.advance(MINUTE);
    const paidAt = clock.now().toISOString();
    clock.advance(MINUTE);
    byHand("1000");
    await pull();
    clock.advance(15 * MINUTE);
    const id = await learntLate("1000", paidAt);
    await push();
    expect(await payment(id)).toMatchObject(ON_TOP);
    expect((await payment(id)).erp_push_error).toEqual({
      code: "balance_less",
      owed: { amount: "0", currency: "USD" },
    });
    expect(erp.receipts).toHaveLength(1);
    const failed = { kind: "receipt_failed", payment_id: id };
    expect(await act(listAttention, {})).toMatchObject([failed]);
    await settle(id, "CHK-1");
    clock.advance(MINUTE);
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", reflected_at: expect.any(String) });
  });

  it("that is learnt of after a sync read what the service's own receipts settled is created [completions.12.own-receipts]", async () => {
    await pay("one", "600");
    const paidAt = clock.now().toISOString();
    await push();
    clock.advance(MINUTE);
    await pull();
    clock.advance(MINUTE);
    const id = await learntLate("600", paidAt);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_receipt_id: expect.any(String) });
  });

  it.each([
    { read: "after the money was paid", paidBeforeMs: 1, outcome: ON_TOP },
    { read: "at the instant it was paid", paidBeforeMs: 0, outcome: { erp_push_status: "posted" } },
  ])(
    "of which less is left than it counts, of a balance read $read: held up only where that may hold it [completions.12.not-on-top]",
    async ({ paidBeforeMs, outcome }) => {
      byHand("100");
      clock.advance(MINUTE);
      await pull();
      const paidAt = new Date(clock.now().getTime() - paidBeforeMs).toISOString();
      clock.advance(MINUTE);
      // Enough was left when it was read, and what went off since is less than the payment.
      const id = await learntLate("800", paidAt);
      byHand("200", "CHK-2");
      await push();
      expect(await payment(id)).toMatchObject(outcome);
    },
  );

  it("is not held up by a receipt of the service's that the ERP applied by itself, or whose outcome is not known yet [completions.12.own-receipts]", async () => {
    await act(setErp, { connectionId: world.connectionId, applyMode: "automatch" });
    const first = await pay("one", "400");
    clock.advance(MINUTE);
    const second = await pay("one", "300");
    erp.control({ resource: "standardReceipts", mode: "drop", when: "after-effect", after: 1, times: 2 });
    await push({ atOnce: 1 });
    expect(await payment(first)).toMatchObject({ erp_push_status: "processing" });
    erp.runAutoMatch();
    expect(await payment(second)).toMatchObject({ erp_push_status: "posted" });
    const third = await pay("one", "300");
    await push();
    expect(await payment(third)).toMatchObject({ erp_push_status: "posted", erp_push_error: null });
    expect(erp.receipts).toHaveLength(3);
  });

  it("of which nothing is known from before is created unless less is owed than the payment [completions.12.not-on-top]", async () => {
    const [fits, exceeds] = [await pay("one", "600"), await pay("two", "300", 1)];
    await setRows(core.store, world.tenantId, "payments", { erp_outstanding_before: null });
    byHand("400");
    byHand("100.01", "CHK-2", "two", 2);
    await push();
    expect((await payment(fits)).erp_push_status).toBe("applied");
    expect(await payment(exceeds)).toMatchObject(ON_TOP);
    expect((await payment(exceeds)).erp_push_error).toMatchObject({ code: "balance_less", owed: { amount: "299.99" } });
  });

  it("whose installment the ERP replaced is compared with the invoice's, and waits where the ERP shows no invoice [completions.12.not-on-top]", async () => {
    const [covered, open] = [await pay("two", "600"), await pay("one", "100")];
    const two = erpInvoice("two", [50_000n]);
    const id = BigInt((await invoice("two")).erp_invoice_id ?? "0");
    const parts = { items: [{ InstallmentId: id + 9n, InstallmentSequenceNumber: 1, InstallmentBalanceDue: 500 }] };
    erp.putInvoices({ ...two, receivablesInvoiceInstallments: parts });
    erp.removeInvoices((await invoice("one")).erp_invoice_id ?? "");
    await push();
    expect(await payment(covered)).toMatchObject(ON_TOP);
    expect(await payment(open)).toMatchObject({ erp_push_status: "failed", push_retryable: true });
  });

  it("waits, with nothing sent, where the balance cannot be read [completions.12.not-on-top] [service.8.push-retry]", async () => {
    const id = await pay("one", "400");
    erp.control({ mode: "503", resource: "receivablesInvoices" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_retryable: true });
    expect(erp.requests.filter(({ method }) => method === "POST")).toEqual([]);
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    await push();
    expect((await payment(id)).erp_push_status).toBe("applied");
  });

  it("is this payment's own where an attempt believed lost arrives while the balance is read [completions.12.not-on-top]", async () => {
    const id = await pay("one", "400");
    const paused = Promise.withResolvers<void>();
    const wakes = Promise.withResolvers<void>();
    const slow: ConnectGateway = (provider, settings) => {
      const gateway = quickConnect(provider, settings);
      return {
        ...gateway,
        async createReceipt(...receipt) {
          paused.resolve();
          await wakes.promise;
          return gateway.createReceipt(...receipt);
        },
      };
    };
    const first = push({ atOnce: 1 }, slow);
    await paused.promise;
    clock.advance(MINUTE);
    await push({ atOnce: 1 }, (provider, settings) => {
      const gateway = quickConnect(provider, settings);
      return {
        ...gateway,
        async *findInvoices(...asked) {
          wakes.resolve();
          await first;
          yield* gateway.findInvoices(...asked);
        },
      };
    });
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
    expect(erp.receipts).toHaveLength(1);
  });
});
