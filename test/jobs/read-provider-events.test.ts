import { beforeEach, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../src/core/payment-integrations/operations/forget-integration.ts";
import { listIntegrations } from "../../src/core/payment-integrations/operator-integration.ts";
import { requestEventReading } from "../../src/core/payments/events/read-events.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { readProviderEvents } from "../../src/jobs/work-off.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import {
  type CollectingApp,
  type CollectingBook,
  connectProvider,
  openCollectingApp,
  openCollectingBook,
  WEBHOOK_SECRET,
} from "../support/collecting.ts";
import { rowOf, rowsOf, setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const MINUTE_MS = 60_000;

describe.each(STORES)("the reading of providers' events on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;
  let book: CollectingBook;

  beforeEach(async () => {
    // An account of its own for each test, and nothing due of the others.
    app = await openCollectingApp(opened);
    await opened.store.directory((t) => t.updateTable("payment_integrations").set("status", "disconnected").execute());
    book = await openCollectingBook(app, "stripe");
    return () => app.close();
  });

  /** A customer pays, and no notification arrives. */
  const payUnheard = async () => {
    const { id } = await book.issue();
    return { id, ...(await app.stripe.pay(id, { hold: true })) };
  };
  const read = () => readProviderEvents(app.core);
  const row = (id = book.integrationId) =>
    rowOf(opened.store, book.tenantId, "payment_integrations", { payment_integration_id: id });
  const inMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
  const eventsAsked = () => app.stripe.requests.filter(({ path }) => path === "/v1/events");

  it("records a payment that nobody told of, once, every 15 minutes [completions.12.events-read]", async () => {
    const { id, events } = await payUnheard();
    expect(await book.payments()).toEqual([]);
    expect(await read()).toMatchObject([{ paymentIntegrationId: book.integrationId, taken: 2, problem: null }]);
    expect(await book.payments()).toMatchObject([{ payment_link_id: id, amount_minor: 10_000 }]);
    for (const event of events) expect(await app.stripe.deliver(event)).toEqual([200]);
    expect(await read()).toEqual([]);
    app.clock.advance(15 * MINUTE_MS - 1);
    expect(await read()).toEqual([]);
    const other = await payUnheard();
    app.clock.advance(1);
    await read();
    expect(new Set((await book.payments()).map((payment) => payment.payment_link_id))).toEqual(new Set([id, other.id]));
    expect(app.errors).toEqual([]);
  });

  it("goes on where a clock that was wrong put it off, and whoever it took for a holder is gone [completions.12.events-clock]", async () => {
    await read();
    const { id } = await payUnheard();
    // 40 days ahead: one reading put the next off, another was cut off.
    const put = (set: { next_attempt_at: string; lease_expires_at: string | null }) =>
      setRows(opened.store, book.tenantId, "payment_integrations", set);
    const wrong = inMinutes(40 * 24 * 60);
    await put({ next_attempt_at: wrong, lease_expires_at: wrong });
    await read();
    expect(await book.payments()).toMatchObject([{ payment_link_id: id }]);
    expect((await row()).next_attempt_at).toBe(inMinutes(15));
    // An hour is what a refused key waits for.
    await put({ next_attempt_at: inMinutes(60), lease_expires_at: null });
    expect(await read()).toEqual([]);
  });

  it("tells of refunds, disputes and spent links as notifications do [completions.12.events-read]", async () => {
    const { paymentIntent } = await payUnheard();
    await app.stripe.refund(paymentIntent, 100, { hold: true });
    await app.stripe.dispute(paymentIntent, "needs_response", { hold: true });
    await read();
    expect(await book.payments()).toMatchObject([{ refunded_minor: 100, disputed: true }]);
  });

  it("goes on from where it was, and finds what was shown late [completions.12.events-position]", async () => {
    await setRows(opened.store, book.tenantId, "payment_integrations", { events_read_to: inMinutes(-60) });
    const one = await payUnheard();
    const two = await payUnheard();
    for (const { id } of one.events) app.stripe.setListed(id, false);
    await read();
    expect((await book.payments()).map((payment) => payment.payment_link_id)).toEqual([two.id]);
    const last = Math.max(...two.events.map(({ created }) => created));
    expect((await row()).events_read_to).toBe(new Date(last * 1_000).toISOString());
    for (const { id } of one.events) app.stripe.setListed(id, true);
    app.stripe.forgetRequests();
    app.clock.advance(15 * MINUTE_MS);
    await read();
    expect(await book.payments()).toHaveLength(2);
    expect(eventsAsked()[0]?.params).toMatchObject({ created: { gte: String(last - 600) } });
    // Nothing new: it stays where it is, however much time goes by.
    app.clock.advance(20 * 24 * 60 * MINUTE_MS);
    await read();
    expect((await row()).events_read_to).toBe(new Date(last * 1_000).toISOString());
  });

  it("reads no further back than the provider keeps events [completions.12.events-position]", async () => {
    await setRows(opened.store, book.tenantId, "payment_integrations", {
      events_read_to: null,
      created_at: "2020-01-01T00:00:00.000Z",
    });
    await read();
    const since = Math.floor((app.clock.now().getTime() - 30 * 24 * 60 * MINUTE_MS) / 1_000);
    expect(eventsAsked()[0]?.params).toMatchObject({ created: { gte: String(since) } });
  });

  it("does not move past what the store did not take, and goes on soon [completions.12.events-position]", async () => {
    const { id } = await payUnheard();
    const { events_read_to } = await row();
    const ids = [app.core.newId()]; // The claim takes it.
    const broken = { ...app.core, newId: () => ids.pop() ?? fail() };
    const fail = (): never => {
      throw new Error("the connection was lost");
    };
    expect(await readProviderEvents(broken)).toMatchObject([{ taken: 0, problem: expect.any(String) }]);
    expect(await row()).toMatchObject({ events_read_to, lease_expires_at: null, next_attempt_at: inMinutes(1) });
    expect(await book.payments()).toEqual([]);
    app.clock.advance(MINUTE_MS);
    await read();
    expect(await book.payments()).toMatchObject([{ payment_link_id: id }]);
    expect((await row()).events_problem).toBeNull();
  });

  it("passes over an event that cannot be understood, and says so [completions.12.events-skipped]", async () => {
    const broken = (text: string) => text.replaceAll("10000", '"much"').replaceAll(/created": \d+/g, 'created": 4e10');
    for (const event of (await payUnheard()).events) Object.assign(event, { payload: broken(event.payload) });
    const { id } = await payUnheard();
    expect(await read()).toMatchObject([{ taken: 2, skipped: 2, problem: null }]);
    expect((await book.payments()).map((payment) => payment.payment_link_id)).toEqual([id]);
    expect(app.errors).toEqual(["payment.event.unreadable", "payment.event.unreadable"]);
    // They say that they happened in the year 3237.
    expect((await row()).events_read_to).toMatch(/^20/);
  });

  it("is shared by processes, each list read by one at a time [completions.12.events-shared]", async () => {
    await payUnheard();
    app.stripe.control({ mode: "ok", path: "/v1/events", latency_ms: 300 });
    const readings = await Promise.all([read(), read(), read()]);
    expect(readings.flat()).toHaveLength(1);
    expect(await book.payments()).toHaveLength(1);
    expect((await row()).lease_expires_at).toBeNull();
  });

  it("takes a list up that a worker was lost with, once its lease has ended [completions.12.events-shared]", async () => {
    await payUnheard();
    await setRows(opened.store, book.tenantId, "payment_integrations", { lease_expires_at: inMinutes(2) });
    expect(await read()).toEqual([]);
    app.clock.advance(2 * MINUTE_MS);
    expect([await read(), await book.payments()]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  it.each([true, false])("is given up where lost, disconnected: %s [completions.12.events-shared]", async (isGone) => {
    await payUnheard();
    app.stripe.control({ mode: "ok", path: "/v1/events", latency_ms: 300 });
    const reading = read();
    await expect.poll(async () => (await row()).lease_expires_at).not.toBeNull();
    if (isGone) await operate(app.core, book.tenantId, disconnectIntegration, { provider: "stripe" });
    else await setRows(opened.store, book.tenantId, "payment_integrations", { claim_id: crypto.randomUUID() });
    await reading;
    expect([await book.payments(), (await row()).lease_expires_at === null]).toEqual([[], isGone]);
  });

  it("releases the lease at once where the provider does not answer, or the service stops [completions.12.events-shared]", async () => {
    await payUnheard();
    app.stripe.control({ mode: "503", path: "/v1/events" });
    expect(await read()).toMatchObject([{ problem: "Stripe is failing." }]);
    expect(await row()).toMatchObject({ lease_expires_at: null, next_attempt_at: inMinutes(1) });
    app.stripe.control({ mode: "ok", path: "/v1/events", latency_ms: 300 });
    app.clock.advance(MINUTE_MS);
    const stop = new AbortController();
    const reading = readProviderEvents(app.core, { signal: stop.signal });
    await expect.poll(async () => (await row()).lease_expires_at).not.toBeNull();
    stop.abort();
    await reading;
    expect(await row()).toMatchObject({ lease_expires_at: null, next_attempt_at: inMinutes(0) });
    await read();
    expect(await book.payments()).toHaveLength(1);
  });

  it("is tried hourly with a key that may not, which lists of integrations say [completions.12.events-refused]", async () => {
    app.stripe.control({ mode: "403", path: "/v1/events" });
    await read();
    const problem = "Stripe does not let this key do what the service needs.";
    expect(await row()).toMatchObject({ next_attempt_at: inMinutes(60), events_problem: problem });
    expect(await operate(app.core, book.tenantId, listIntegrations, {})).toMatchObject([{ events_problem: problem }]);
    const { id } = await book.issue();
    await app.stripe.pay(id);
    expect(await book.payments()).toHaveLength(1);
    app.clock.advance(60 * MINUTE_MS);
    app.stripe.control({ mode: "ok" });
    await read();
    expect(await row()).toMatchObject({ next_attempt_at: inMinutes(15), events_problem: null });
  });

  it("records what is paid by links of an earlier integration of the account [completions.12.events-disconnected]", async () => {
    const before = await payUnheard();
    await operate(app.core, book.tenantId, disconnectIntegration, { provider: "stripe" });
    expect(await read()).toEqual([]);
    app.clock.advance(60 * MINUTE_MS);
    await connectProvider(app, book.tenantId, "stripe");
    await read();
    expect((await book.payments()).map((payment) => payment.payment_link_id)).toEqual([before.id]);
  });

  it("records nothing of a forgotten integration, and says what it left [completions.12.forgotten]", async () => {
    await payUnheard();
    await operate(app.core, book.tenantId, disconnectIntegration, { provider: "stripe" });
    await operate(app.core, book.tenantId, forgetIntegration, { provider: "stripe", confirmed: true });
    await connectProvider(app, book.tenantId, "stripe");
    await requestEventReading(app.core);
    await read();
    expect(await book.payments()).toEqual([]);
    const refused = await rowsOf(opened.store, book.tenantId, "audit_entries", { outcome: "refused" });
    expect(refused).toMatchObject(
      Array.from({ length: 2 }, () => ({ operation: "recordPayment", actor_kind: "provider" })),
    );
  });

  it("takes the live account's list for no test links of the same name [completions.12.same-account]", async () => {
    const { id } = await payUnheard();
    await operate(app.core, book.tenantId, disconnectIntegration, { provider: "stripe" });
    const live = createStripeSimulator({ secretKey: "sk_live_1" });
    await live.listen();
    try {
      const keys = { secretKey: "sk_live_1", webhookSecret: WEBHOOK_SECRET };
      const made = await operate(app.core, book.tenantId, connectIntegration, {
        ...{ provider: "stripe", currencies: ["USD"], keys, apiBase: live.url },
      });
      expect(made.livemode).toBe(true);
      const liveLink = await book.issue();
      await live.pay(liveLink.id, { hold: true });
      // What the live account says of a link with the id of the test link.
      for (const event of live.events) {
        Object.assign(event, { payload: event.payload.replaceAll(liveLink.id, id) });
        live.setListed(event.id, event.type === "payment_intent.succeeded");
      }
      await read();
      expect(await book.payments()).toEqual([]);
    } finally {
      await live.close();
    }
  });

  it("begins with the service, whatever was due when, and has nothing to read of the sandbox [completions.12.events-read]", async () => {
    const { id } = await payUnheard();
    await setRows(opened.store, book.tenantId, "payment_integrations", { next_attempt_at: null });
    const sandbox = await openCollectingBook(app, "sandbox");
    const jobs = createJobs(app.core, { lookEveryMs: 50 });
    await jobs.start();
    await expect.poll(async () => (await book.payments()).map((payment) => payment.payment_link_id)).toEqual([id]);
    await jobs.drain();
    const shown = [{ events_read_to: null, events_problem: null, livemode: false }];
    expect(await operate(app.core, sandbox.tenantId, listIntegrations, {})).toMatchObject(shown);
  });
});
