import { beforeEach, describe, expect, it } from "vitest";
import { recomputeInvoices } from "../../../src/core/invoices/recompute.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { recordProviderEvent } from "../../../src/core/payments/events/record-provider-event.ts";
import type { PaymentConfirmed, PaymentEvent, PaymentFailed } from "../../../src/gateways/payments/gateway.ts";
import { finishLinks } from "../../../src/jobs/work-off.ts";
import { sign } from "../../../src/simulators/stripe/webhooks.ts";
import {
  ask,
  askOverRest,
  atStripe,
  callOnce,
  type Owing,
  openCollectingBook,
  WEBHOOK_SECRET,
} from "../../support/collecting.ts";
import { putEmail } from "../../support/emailed-links.ts";
import { call } from "../../support/lists.ts";
import { rowsOf, setRows } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(A_STORE)("what a provider tells of payments on $name", ({ open }) => {
  const { app, book, store } = useCollecting(open, "stripe");
  let owing: Owing;

  beforeEach(async () => {
    owing = await book.owing("100.00");
  });

  const issue = (amountMinor?: number) => book.issue(owing, amountMinor);
  const invoice = () => book.read(owing.invoice.invoice_id);
  const deactivate = (id: string) => call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: id });
  const stored = async (id: string) => (await book.links()).find((row) => row.payment_link_id === id);
  const trail = (operation: string) => rowsOf(store, book.tenantId, "audit_entries", { operation });
  /** A notification of Stripe's arrives. */
  const notify = (type: string, object: object) => {
    const created = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ id: "evt_1", object: "event", type, created, livemode: false, data: { object } });
    return fetch(`${app.url}/webhooks/stripe/${book.integrationId}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": sign(body, WEBHOOK_SECRET, created) },
      body,
    });
  };
  /** What Stripe could say of a link, in the service's words. */
  const confirmed = (linkId: string, event: Partial<PaymentConfirmed> = {}): PaymentConfirmed => ({
    type: "payment_confirmed",
    providerEventId: `evt_${linkId}`,
    occurredAt: app.clock.now().toISOString(),
    linkId,
    providerLinkId: null,
    providerPaymentId: `pi_${linkId}`,
    amountMinor: 10_000n,
    currency: "USD",
    livemode: false,
    ...event,
  });
  const changed = (linkId: string, providerLinkId: string, active: boolean): PaymentEvent => ({
    ...{ type: "link_changed", providerEventId: "evt_1", occurredAt: app.clock.now().toISOString(), livemode: false },
    ...{ linkId, providerLinkId, active },
  });
  /** The same, told through the workspace's own integration. */
  const told = (event: PaymentEvent, { tenantId, integrationId } = book) =>
    recordProviderEvent(app.core, tenantId, { event, vouchers: [{ integrationId, livemode: false }] });

  it("counts a payment once, however often and in whatever order it is told [completions.6.once] [completions.6.confirmed]", async () => {
    const { id } = await issue();
    const { events } = await app.stripe.pay(id, { hold: true });
    expect(events.map((event) => event.type)).toEqual(["payment_intent.succeeded", "checkout.session.completed"]);
    for (const event of [...events].reverse())
      expect(await app.stripe.deliver(event, { times: 3 })).toEqual([200, 200, 200]);
    await Promise.all(events.flatMap((event) => Array.from({ length: 5 }, () => app.stripe.deliver(event))));
    expect(await book.payments()).toHaveLength(1);
    expect(await invoice()).toMatchObject({ amount_collected: "100.00", collection_outstanding: "0.00" });
    expect(await book.link(id)).toMatchObject({ status: "paid" });
    expect(app.errors).toEqual([]);
  });

  it("waits for a bank debit to go through [completions.6.delayed]", async () => {
    const { id } = await issue();
    const { session } = await app.stripe.pay(id, { delayed: true });
    expect(await book.payments()).toEqual([]);
    expect(await book.link(id)).toMatchObject({ status: "active" });
    await app.stripe.finishDebit(session, true);
    expect(await book.payments()).toHaveLength(1);
    expect(await book.link(id)).toMatchObject({ status: "paid" });
  });

  it("withdraws a link whose one completion was a bank debit that failed [completions.6.failed-debit]", async () => {
    const { id } = await issue();
    const { session } = await app.stripe.pay(id, { delayed: true });
    const events = await app.stripe.finishDebit(session, false);
    for (const event of events) expect(await app.stripe.deliver(event, { times: 2 })).toEqual([200, 200]);
    expect(await book.link(id)).toMatchObject({ status: "deactivated" });
    expect(await invoice()).toMatchObject({
      amount_collected: "0.00",
      has_active_payment_link: false,
      installments: [{ available_amount: "100.00" }],
    });
    expect(atStripe(app, id)?.active).toBe(false);
    expect(await stored(id)).toMatchObject({ withdrawal_due: false });
    expect(await trail("deactivatePaymentLink")).toMatchObject([
      { actor_kind: "provider", object_id: id, outcome: "succeeded", request_id: events[0]?.id },
    ]);
    expect(await issue()).toMatchObject({ status: "active", amount_minor: 10_000 });
  });

  it("records a payment on a link that a failed bank debit had withdrawn [completions.6.failed-debit]", async () => {
    const { id } = await issue();
    const { session } = await app.stripe.pay(id, { delayed: true });
    await app.stripe.finishDebit(session, false);
    await told(confirmed(id));
    expect(await book.payments()).toMatchObject([{ payment_link_id: id, amount_minor: 10_000 }]);
    expect(await invoice()).toMatchObject({ amount_collected: "100.00", collection_outstanding: "0.00" });
    expect(await book.link(id)).toMatchObject({ status: "deactivated" });
  });

  it("leaves a link that was paid since, and one that can still be paid, as they are [completions.6.failed-debit]", async () => {
    const failed = (linkId: string, linkSpent: boolean): PaymentFailed => ({
      ...{ type: "payment_failed", providerEventId: "evt_f", occurredAt: app.clock.now().toISOString() },
      ...{ livemode: false },
      ...{ linkId, providerLinkId: null, providerPaymentId: "pi_f", linkSpent },
    });
    const { id } = await issue();
    await told(failed(id, false));
    expect(await book.link(id)).toMatchObject({ status: "active" });
    await app.stripe.pay(id);
    await told(failed(id, true));
    expect(await book.link(id)).toMatchObject({ status: "paid" });
    expect(await trail("deactivatePaymentLink")).toMatchObject([]);
  });

  it("answers with success what the account sells by a payment link of its own [completions.7.stranger]", async () => {
    const { status } = await notify("checkout.session.completed", {
      ...{ id: "cs_1", object: "checkout.session", mode: "subscription", payment_status: "paid", status: "complete" },
      ...{ payment_link: "plink_theirs", payment_intent: null, subscription: "sub_1", invoice: "in_1" },
      ...{ amount_total: 1900, currency: "usd", metadata: {} },
    });
    expect(status).toBe(200);
    expect(await book.payments()).toEqual([]);
    expect(app.errors).toEqual([]);
  });

  it("records what is paid on a link that was withdrawn, which stays so [completions.7.late]", async () => {
    const { id } = await issue();
    const { events } = await app.stripe.pay(id, { hold: true });
    const gone = await deactivate(id);
    for (const event of events) await app.stripe.deliver(event);
    expect(await book.payments()).toMatchObject([{ payment_link_id: id, amount_minor: 10_000 }]);
    expect(await invoice()).toMatchObject({ amount_collected: "100.00", collection_outstanding: "0.00" });
    expect(await book.link(id)).toEqual(gone);
  });

  it("withdraws other links that ask for more than is left, and no others [completions.6.covered]", async () => {
    const late = await issue(9_000);
    const { events } = await app.stripe.pay(late.id, { hold: true });
    await deactivate(late.id);
    const small = await issue(1_000);
    const large = await issue(9_000);
    for (const event of events) await app.stripe.deliver(event);
    expect(await book.link(small.id)).toMatchObject({ status: "active" });
    expect(await book.link(large.id)).toMatchObject({ status: "deactivated" });
    await finishLinks(app.core);
    expect(atStripe(app, small.id)?.active).toBe(true);
    expect(atStripe(app, large.id)?.active).toBe(false);
    expect(await invoice()).toMatchObject({
      has_active_payment_link: true,
      installments: [{ collection_outstanding: "10.00", available_amount: "0.00" }],
    });
    await app.stripe.pay(small.id);
    expect(await invoice()).toMatchObject({ collection_status: "paid", has_active_payment_link: false });
    expect(await book.payments()).toHaveLength(2);
  });

  it("withdraws links of the installments that the ERP put in the place of the one paid on [completions.6.replaced]", async () => {
    owing = await book.owing("100.00", "100.00");
    const [before] = owing.installments.map(({ installment_id }) => installment_id);
    const late = await issue();
    await store.write(book.tenantId, async (tx) => {
      const removed = { removed_at: app.clock.now().toISOString() };
      await tx
        .updateTable("installments")
        .set(removed)
        .where("installment_id", "=", before ?? "")
        .execute();
      await recomputeInvoices(tx, app.core, book.tenantId, [owing.invoice.invoice_id]);
    });
    const live = await callOnce(app.core, createPaymentLink, book.admin, ask(owing, 1));
    await app.stripe.pay(late.id);
    expect(await invoice()).toMatchObject({ collection_outstanding: "0.00", collection_status: "paid" });
    expect(await book.link(live.id)).toMatchObject({ status: "deactivated" });
    await finishLinks(app.core);
    expect(atStripe(app, live.id)?.active).toBe(false);
  });

  it("records a payment of a link that is still being made, which is paid once it is [completions.7.late]", async () => {
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, ask(owing), "key-1");
    const [reserved] = await book.links();
    const id = reserved?.payment_link_id ?? "";
    await app.stripe.pay(id);
    expect(await book.payments()).toMatchObject([{ payment_link_id: id }]);
    expect(await stored(id)).toMatchObject({ state: "reserved" });
    expect(await invoice()).toMatchObject({
      installments: [{ collection_outstanding: "0.00", available_amount: "0.00" }],
    });
    const made = await askOverRest(app, book, ask(owing), "key-1");
    expect(made).toMatchObject({ status: 201, body: { id, status: "paid", paid_at: expect.any(String) } });
    expect(await invoice()).toMatchObject({ has_active_payment_link: false });
  });

  it("gives a reservation up where a payment has left too little for it [completions.5.available]", async () => {
    const first = await issue();
    const { events } = await app.stripe.pay(first.id, { hold: true });
    await deactivate(first.id);
    app.stripe.control({ mode: "drop_after", times: 2 });
    await askOverRest(app, book, ask(owing), "key-1");
    for (const event of events) await app.stripe.deliver(event);
    app.clock.advance(120_000);
    await finishLinks(app.core);
    expect((await book.links()).map((row) => row.state).sort()).toEqual(["deactivated", "withdrawn"]);
    expect(app.stripe.links.slice(-1)).toMatchObject([{ active: false }]);
  });

  it("records a payment of a reservation that was given up [completions.7.late]", async () => {
    const { id } = await issue();
    await setRows(store, book.tenantId, "payment_links", { state: "withdrawn", url: null });
    await app.stripe.pay(id);
    expect(await book.payments()).toMatchObject([{ payment_link_id: id }]);
    expect(await stored(id)).toMatchObject({ state: "withdrawn" });
  });

  it.each([
    ["less", 4_000n, "60.00", "40.00"],
    ["more", 25_000n, "0.00", "250.00"],
  ])("takes the amount as the provider says it: %s than was asked [completions.7.amount]", async (...given) => {
    const [, amountMinor, outstanding, collected] = given;
    const { id } = await issue();
    await told(confirmed(id, { amountMinor }));
    expect(await invoice()).toMatchObject({ collection_outstanding: outstanding, amount_collected: collected });
    expect(await book.link(id)).toMatchObject({ status: "paid", amount_minor: 10_000 });
    expect(await book.payments()).toMatchObject([{ amount_minor: Number(amountMinor) }]);
  });

  it("keeps money in another currency out of every figure, says so, and ends its link [completions.7.currency] [completions.12.link-currency]", async () => {
    const before = { ...(await invoice()), collection_updated_at: expect.any(String) };
    const { id } = await issue();
    await told(confirmed(id, { currency: "EUR" }));
    expect([await book.payments(), await invoice()]).toEqual([[], before]);
    expect(await book.link(id)).toMatchObject({ status: "deactivated" });
    expect(app.errors).toEqual(["payment.currency.refused"]);
    expect(await trail("recordPaymentInOtherCurrency")).toMatchObject([
      { actor_kind: "provider", object_id: id, outcome: "refused", request_id: `evt_${id}` },
    ]);
  });

  it("says once of each refused payment that it was, whichever events tell of it [completions.7.refused-once]", async () => {
    const { id } = await issue();
    const tell = (event: Partial<PaymentConfirmed>) => told(confirmed(id, { currency: "EUR", ...event }));
    for (const providerEventId of ["evt_1", "evt_1", "evt_2"]) await tell({ providerEventId });
    const other = { providerEventId: "evt_3", providerPaymentId: "pi_2" };
    await Promise.all([tell(other), tell(other)]);
    const entries = await trail("recordPaymentInOtherCurrency");
    expect(entries.map((entry) => entry.request_id).sort()).toEqual(["evt_1", "evt_3"]);
    expect(app.errors).toHaveLength(2);
  });

  it("lets be what no link of the workspace is meant by [completions.7.stranger]", async () => {
    const { id } = await issue();
    const neighbour = await openCollectingBook(app, "sandbox");
    await told(confirmed(id), neighbour);
    await told(confirmed("018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11"));
    expect(await book.payments()).toEqual([]);
    expect(await book.link(id)).toMatchObject({ status: "active" });
  });

  it("changes no figure on refunds and disputes, nor when a link is switched off there [completions.7.refund]", async () => {
    const { id } = await issue();
    const { paymentIntent } = await app.stripe.pay(id);
    const after = await invoice();
    await app.stripe.refund(paymentIntent);
    await app.stripe.dispute(paymentIntent);
    expect(await invoice()).toEqual(after);
    owing = await book.owing("100.00");
    const off = await issue();
    await told(changed(off.id, atStripe(app, off.id)?.id ?? "", false));
    expect(await book.link(off.id)).toMatchObject({ status: "active" });
  });

  it("withdraws again what was switched on again at the provider [completions.5.withdrawn]", async () => {
    const { id } = await issue();
    await deactivate(id);
    const made = atStripe(app, id);
    if (made === undefined) throw new Error("Stripe made the link");
    made.active = true;
    await told(changed(id, made.id, true));
    expect(made.active).toBe(false);
    expect(await stored(id)).toMatchObject({ withdrawal_due: false });
  });

  it("cancels the scheduled email of a link that is paid [completions.4.email-withdrawn]", async () => {
    const { id } = await issue();
    await store.write(book.tenantId, (tx) => putEmail(tx, book.tenantId, id, "scheduled"));
    await app.stripe.pay(id);
    expect(await book.link(id)).toMatchObject({ email: { status: "cancelled" } });
  });
});
