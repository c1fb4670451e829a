import { describe, expect, it } from "vitest";
import { resolveAttention } from "../../../src/core/attention/operations/resolve-attention.ts";
import { readAuditTrail } from "../../../src/core/audit-trail/read-audit-trail.ts";
import { lockInvoices } from "../../../src/core/collection/collection-queries.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { recomputeInvoices } from "../../../src/core/invoices/recompute.ts";
import { recordProviderEvent } from "../../../src/core/payments/events/record-provider-event.ts";
import type {
  PaymentConfirmed,
  PaymentDisputed,
  PaymentEvent,
  PaymentRefunded,
} from "../../../src/gateways/payments/gateway.ts";
import { openCollectingBook } from "../../support/collecting.ts";
import { waiting } from "../../support/locks.ts";
import { rowsOf, trailOf } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

/** An instant of the tests' own day. */
const at = (time: string): string => `2026-11-20T${time}.000Z`;

describe.each(STORES)("money beside the straight way on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");

  const tell = (event: PaymentEvent, integrationId = book.integrationId) =>
    recordProviderEvent(app.core, book.tenantId, { event, vouchers: [{ integrationId, livemode: false }] });
  const confirmed = (linkId: string, over: Partial<PaymentConfirmed> = {}): PaymentConfirmed => ({
    ...{ type: "payment_confirmed", providerEventId: "evt_1", occurredAt: at("08:00:00"), livemode: false },
    ...{ linkId, providerLinkId: null, providerPaymentId: "pi_1", amountMinor: 10_000n, currency: "USD" },
    ...over,
  });
  const refunded = (
    linkId: string | null,
    refundedMinor: bigint,
    over: Partial<PaymentRefunded> = {},
  ): PaymentRefunded => ({
    ...{ type: "payment_refunded", providerEventId: `evt_r${refundedMinor}`, occurredAt: at("09:00:00") },
    ...{ livemode: false, providerPaymentId: "pi_1", linkId, refundedMinor, currency: "USD", ...over },
  });
  const disputed = (status: string, time: string, over: Partial<PaymentDisputed> = {}): PaymentDisputed => ({
    ...{ type: "payment_disputed", providerEventId: `evt_${status}_${time}`, occurredAt: at(time), livemode: false },
    ...{ providerPaymentId: "pi_1", status, disputed: status !== "won", closed: ["won", "lost"].includes(status) },
    ...{ amountMinor: 10_000n, currency: "USD", ...over },
  });
  const trail = (...operations: string[]) => trailOf(store, book.tenantId, ...operations);

  it("shows refunds on the payment and to people, and moves no figure [completions.12.refunds] [completions.12.provider-audit] [completions.13.money-twins]", async () => {
    const link = await book.issue();
    const { paymentIntent } = await app.stripe.pay(link.id);
    const before = await book.read(link.invoice_id);
    const [first] = await app.stripe.refund(paymentIntent, 2_500, { hold: true });
    const [second] = await app.stripe.refund(paymentIntent, 1_000, { hold: true });
    if (first === undefined || second === undefined) throw new Error("a refund makes an event");
    for (const event of [second, first, second]) expect(await app.stripe.deliver(event)).toEqual([200]);
    const [payment] = await book.payments();
    expect(payment).toMatchObject({ amount_minor: 10_000, refunded_minor: 3_500, refunded: "35.00", disputed: false });
    expect(await book.read(link.invoice_id)).toEqual(before);
    expect(await book.attention()).toMatchObject([
      {
        ...{ kind: "payment_refunded", amount: "35.00", currency: "USD", payment_id: payment?.id },
        ...{ payment_link_id: link.id, invoice_number: "INV-7", detail: paymentIntent },
      },
    ]);
    const entry = {
      ...{ actor_kind: "provider", actor_id: book.integrationId, outcome: "succeeded" },
      ...{ object_type: "payment", object_id: payment?.id },
    };
    const payments = await trail("recordPayment");
    expect(payments).toMatchObject([{ ...entry, request_id: expect.stringMatching(/^evt_/) }]);
    expect(await trail("recordRefund")).toMatchObject([{ ...entry, request_id: second.id }]);
  });

  it("is told in the trail with its invoice and its amount [completions.1.audit.labels]", async () => {
    const link = await book.issue();
    await tell(confirmed(link.id));
    await tell(refunded(link.id, 2_500n));
    const [item] = await book.attention();
    await act(resolveAttention, { id: item?.id ?? "" });
    const { entries } = await act(readAuditTrail, {});
    const of = (name: string) => entries.find(({ operation }) => operation === name);
    const debt = { invoiceNumber: "INV-7", amount: "100.00", currency: "USD" };
    expect(of("createPaymentLink")).toMatchObject({ objectType: "payment_link", labels: [debt] });
    expect(of("recordPayment")).toMatchObject({ objectType: "payment", labels: [debt] });
    expect(of("recordRefund")).toMatchObject({ labels: [debt], details: [["refunded", "25.00 USD"]] });
    expect(of("resolveAttentionItem")).toMatchObject({ labels: [{ ...debt, amount: "25.00" }] });
    expect(of("connectIntegration")).toMatchObject({ labels: [{ name: "stripe", invoiceId: null }] });
  });

  it("opens what was resolved again for a larger refund, not for the same; twice leaves one entry [completions.12.attention] [completions.12.attention.once]", async () => {
    const link = await book.issue();
    await tell(confirmed(link.id));
    await tell(refunded(link.id, 100n));
    const [item] = await book.attention();
    const resolve = () => act(resolveAttention, { id: item?.id ?? "" });
    const done = await resolve();
    app.clock.advance(1_000);
    expect(done).toMatchObject({ already_resolved: false });
    expect(await resolve()).toEqual({ ...done, already_resolved: true });
    expect(await trail("resolveAttentionItem")).toHaveLength(1);
    expect(await book.attention()).toEqual([]);
    await tell(refunded(link.id, 100n));
    expect(await book.attention()).toEqual([]);
    await tell(refunded(link.id, 300n));
    expect(await book.attention()).toMatchObject([{ id: item?.id, amount: "3.00" }]);
    await expect(act(resolveAttention, { id: link.id })).rejects.toMatchObject({
      code: "not_found",
    });
    const neighbour = await openCollectingBook(app, "sandbox");
    const byNeighbour = operate(app.core, neighbour.tenantId, resolveAttention, { id: item?.id ?? "" });
    await expect(byNeighbour).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps a refund that is told before its payment, and puts it there [completions.12.refund-first]", async () => {
    const link = await book.issue();
    await tell(refunded(link.id, 4_000n));
    await tell(refunded(link.id, 1_000n));
    expect(await book.attention()).toMatchObject([{ kind: "payment_refunded", amount: "40.00", payment_id: null }]);
    await tell(confirmed(link.id));
    const [payment] = await book.payments();
    expect(payment).toMatchObject({ refunded_minor: 4_000 });
    expect(await book.attention()).toMatchObject([{ amount: "40.00", payment_id: payment?.id }]);
    await tell(refunded(link.id, 5_000n));
    expect(await book.payments()).toMatchObject([{ refunded_minor: 5_000 }]);
  });

  it("counts a refund and its payment that are told at once [completions.12.refund-first]", async () => {
    for (let round = 0; round < 5; round += 1) {
      const link = await book.issue();
      const providerPaymentId = `pi_at_once_${round}`;
      await Promise.all([
        tell(refunded(link.id, 4_000n, { providerPaymentId })),
        tell(confirmed(link.id, { providerPaymentId })),
      ]);
      const [payment] = (await book.payments()).filter((one) => one.payment_link_id === link.id);
      expect(payment).toMatchObject({ refunded_minor: 4_000 });
    }
  });

  // The embedded store runs one transaction at a time.
  it("waits for whoever changes the payment, and none is refused for that [completions.12.disputes]", async ({
    skip,
  }) => {
    if (store.kind === "embedded") return skip("one connection");
    const link = await book.issue();
    await tell(confirmed(link.id));
    const told = Promise.withResolvers<void>();
    const change = store.write(book.tenantId, async (tx) => {
      await lockInvoices(tx, book.tenantId, [link.invoice_id]);
      told.resolve();
      await expect.poll(() => waiting(store)).toBe(1);
      const set = tx.updateTable("payments").set({ erp_push_error: { code: "unexpected" } });
      await set.where("tenant_id", "=", book.tenantId).execute();
    });
    await told.promise;
    await Promise.all([change, tell(disputed("needs_response", "09:00:00"))]);
    expect(await book.payments()).toMatchObject([{ disputed: true }]);
  });

  it("ignores refunds and disputes of what it does not know, and refuses another's [completions.12.refunds]", async () => {
    const link = await book.issue();
    await tell(refunded(null, 100n));
    await tell(refunded("018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11", 100n));
    await tell(disputed("needs_response", "09:00:00"));
    expect(await book.attention()).toEqual([]);
    const other = "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e12";
    await tell(refunded(link.id, 100n), other);
    await tell(confirmed(link.id));
    await tell(refunded(link.id, 100n, { providerEventId: "evt_r" }), other);
    await tell(disputed("needs_response", "09:00:00"), other);
    expect(await book.attention()).toEqual([]);
    expect(await book.payments()).toMatchObject([{ refunded_minor: 0, disputed: false }]);
    const entries = await trail("recordRefund", "recordDispute");
    expect(entries.map(({ outcome, actor_id }) => [outcome, actor_id])).toEqual(entries.map(() => ["refused", other]));
    expect(entries).toHaveLength(3);
  });

  it.each([
    ["in order", ["needs_response 09:00:00", "lost 10:00:00"], true],
    ["late", ["lost 10:00:00", "needs_response 09:00:00"], true],
    ["won", ["needs_response 09:00:00", "under_review 09:30:00", "won 10:00:00"], false],
    ["won, told first", ["won 10:00:00", "needs_response 09:00:00", "under_review 09:30:00"], false],
    ["in one second", ["needs_response 09:00:00", "won 09:00:00", "needs_response 09:00:00"], false],
    ["won, then taken up again", ["won 10:00:00", "needs_response 11:00:00"], true],
  ])("tells how a dispute stands: %s [completions.12.disputes]", async (_, told, isDisputed) => {
    const link = await book.issue();
    await tell(confirmed(link.id));
    const before = await book.read(link.invoice_id);
    for (const one of told.flatMap((event) => [event, event])) {
      const [status = "", time = ""] = one.split(" ");
      await tell(disputed(status, time));
    }
    expect(await book.payments()).toMatchObject([{ disputed: isDisputed, refunded_minor: 0 }]);
    expect((await book.attention()).map(({ kind }) => kind)).toEqual(isDisputed ? ["payment_disputed"] : []);
    expect(await book.read(link.invoice_id)).toEqual(before);
    const entries = await trail("recordDispute");
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map((entry) => entry.request_id)).size).toBe(entries.length);
    expect(entries[0]).toMatchObject({ actor_kind: "provider", actor_id: book.integrationId, outcome: "succeeded" });
  });

  it("tells what was collected above what was owed then, once [completions.12.overpaid]", async () => {
    const link = await book.issue();
    await tell(confirmed(link.id, { amountMinor: 10_000n }));
    expect(await book.attention()).toEqual([]);
    await tell(confirmed(link.id, { providerEventId: "evt_2", providerPaymentId: "pi_2", amountMinor: 4_000n }));
    await tell(confirmed(link.id, { providerEventId: "evt_3", providerPaymentId: "pi_2", amountMinor: 4_000n }));
    const more = await book.issue();
    await tell(confirmed(more.id, { providerEventId: "evt_4", providerPaymentId: "pi_3", amountMinor: 10_001n }));
    const found = await book.attention();
    expect(found.map(({ kind, amount, detail }) => [kind, amount, detail]).sort()).toEqual([
      ["payment_over_owed", "0.01", "pi_3"],
      ["payment_over_owed", "40.00", "pi_2"],
    ]);
    const entries = await trail("recordOverpayment");
    expect(entries.map((entry) => [entry.actor_kind, entry.request_id]).sort()).toEqual([
      ["provider", "evt_2"],
      ["provider", "evt_4"],
    ]);
    expect(await book.payments()).toHaveLength(3);
  });

  it("owes nothing on an invoice that the ERP no longer has [completions.12.overpaid]", async () => {
    const link = await book.issue();
    await store.write(book.tenantId, async (tx) => {
      const retired = { retired_at: app.clock.now().toISOString() };
      await tx.updateTable("invoices").set(retired).where("tenant_id", "=", book.tenantId).execute();
      await recomputeInvoices(tx, app.core, book.tenantId, [link.invoice_id]);
    });
    await tell(confirmed(link.id));
    expect(await book.attention()).toMatchObject([{ kind: "payment_over_owed", amount: "100.00" }]);
  });

  it("shows people money in another currency, and no refund of it is lost [completions.12.other-currency]", async () => {
    const link = await book.issue();
    await tell(confirmed(link.id, { currency: "EUR", amountMinor: 9_000n }));
    await tell(confirmed(link.id, { currency: "EUR", amountMinor: 9_000n, providerEventId: "evt_2" }));
    await tell(refunded(link.id, 9_000n, { currency: "EUR" }));
    const told = { amount: "90.00", currency: "EUR", payment_id: null, payment_link_id: link.id };
    expect(await book.attention()).toMatchObject([
      { ...told, kind: "payment_in_other_currency" },
      { ...told, kind: "payment_refunded" },
    ]);
    expect(await trail("recordPaymentInOtherCurrency")).toMatchObject([{ actor_kind: "provider", outcome: "refused" }]);
  });

  it("lists receipts that failed for good or were reversed, and none that is tried again [completions.12.attention]", async () => {
    const linkIds = [(await book.issue()).id, (await book.issue()).id, (await book.issue()).id];
    for (const [index, id] of linkIds.entries())
      await tell(confirmed(id, { providerPaymentId: `pi_${index}`, providerEventId: `evt_${index}` }));
    const receipts = [
      { erp_push_status: "failed", push_retryable: false, erp_push_error: { code: "refused", status: 404 } },
      { erp_push_status: "failed", push_retryable: true, erp_push_error: { code: "not_reached" } },
      { erp_push_status: "reversed", push_retryable: false, erp_push_error: null },
    ] as const;
    await store.write(book.tenantId, async (tx) => {
      for (const [index, set] of receipts.entries())
        await tx
          .updateTable("payments")
          .set(set)
          .where("tenant_id", "=", book.tenantId)
          .where("provider_payment_id", "=", `pi_${index}`)
          .execute();
    });
    expect(
      (await book.attention())
        .map(({ id, kind, detail }) => ({ id, kind, detail }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
    ).toEqual([
      { id: null, kind: "receipt_failed", detail: "The ERP refused the request with status 404." },
      { id: null, kind: "receipt_reversed", detail: null },
    ]);
  });

  it("dates a payment and its link by the provider, and keeps when it learnt of it [completions.12.paid-at]", async () => {
    const link = await book.issue();
    await tell(confirmed(link.id, { occurredAt: at("21:30:15") }));
    const [payment] = await book.payments();
    expect(payment).toMatchObject({ paid_at: at("21:30:15") });
    expect(Date.parse(payment?.confirmed_at ?? "")).toBeGreaterThanOrEqual(app.clock.now().getTime());
    const paid = await book.link(link.id);
    expect(paid).toMatchObject({ status: "paid", paid_at: at("21:30:15") });
    await tell(confirmed(link.id, { occurredAt: at("22:00:00"), providerPaymentId: "pi_2" }));
    expect((await book.link(link.id)).paid_at).toBe(at("21:30:15"));
  });

  it("keeps what the ERP showed as owed; of a local invoice there is no such figure [completions.12.outstanding-before]", async () => {
    expect(await rowsOf(store, book.tenantId, "invoices")).toEqual([]);
    const erp = await book.owingIn({ origin: "erp" }, { original_amount: "100.00", erp_outstanding: "80.00" });
    const local = await book.owingIn({ origin: "local", connection_id: null }, { original_amount: "100.00" });
    const [one, two] = [await book.issue(erp, 1_000), await book.issue(local, 1_000)];
    await tell(confirmed(one.id, { amountMinor: 1_000n }));
    await tell(confirmed(two.id, { amountMinor: 1_000n, providerPaymentId: "pi_2" }));
    const rows = await rowsOf(store, book.tenantId, "payments", {}, "provider_payment_id");
    expect(rows.map((row) => row.erp_outstanding_before)).toEqual(["80.00", null]);
  });
});
