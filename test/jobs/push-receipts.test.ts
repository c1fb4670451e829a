import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { pushFailedPayments } from "../../src/core/payments/operations/push-failed-payments.ts";
import { claimPush, RECEIPTS_QUEUED } from "../../src/core/payments/receipts/claimed-push.ts";
import { oracleFusion } from "../../src/gateways/erp/oracle-fusion/index.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { createJobs, type JobOptions, type Jobs } from "../../src/jobs/schedule.ts";
import { PAGE_MODES } from "../../src/simulators/fusion/faults.ts";
import { quickConnect } from "../support/pulls.ts";
import { erpInvoice, usePushWorld } from "../support/pushes.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;
const RECEIPTS = "standardReceipts";

describe.each(A_STORE)("the push of a receipt on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, connection, pay, push, payment, payments, invoice, act } = world;

  it("creates it and applies it, and the next pull reflects it, nothing counted twice [completions.7.push] [service.3.3.pending] [service.3.3.applied] [completions.6.reflected-once] [service.2.3.push-silent]", async () => {
    const before = await invoice("two");
    clock.advance(MINUTE);
    const id = await pay("two", "250.5", 1);
    expect(await payment(id)).toMatchObject({ erp_push_status: "pending", erp_receipt_number: null });
    const left = { collection_outstanding: "749.5", amount_collected: "250.5", updated_at: before.updated_at };
    expect(await invoice("two")).toMatchObject({
      ...left,
      erp_push_state: "pending",
      erp_invoice_open_balance: "1000",
    });
    expect(erp.receipts).toEqual([]);

    expect(await push()).toBe(1);
    expect(await payment(id)).toMatchObject({
      erp_push_status: "applied",
      erp_push_error: null,
      erp_receipt_number: receiptNumberOf(id),
      erp_receipt_id: erp.receipts[0]?.receiptId,
      applied_at: clock.now().toISOString(),
      reflected_at: null,
      claim_id: null,
      lease_expires_at: null,
    });
    expect(erp.receipts).toMatchObject([
      {
        receiptNumber: receiptNumberOf(id),
        amount: "250.5",
        currency: "USD",
        state: "Applied",
        applications: [{ installmentId: before.installments[1]?.erp_installment_id, amount: "250.5" }],
      },
    ]);
    expect(await invoice("two")).toMatchObject({
      ...left,
      erp_push_state: "applied",
      erp_invoice_open_balance: "1000",
    });
    expect(await push()).toBe(0);

    clock.advance(MINUTE);
    await pull();
    expect(await invoice("two")).toMatchObject({
      collection_outstanding: "749.5",
      amount_collected: "250.5",
      erp_push_state: "applied",
      erp_invoice_open_balance: "749.5",
    });
    expect((await payment(id)).reflected_at).not.toBeNull();
  });

  it("names the receipt as the ERP's users set it up, dated in the workspace's zone [completions.7.push]", async () => {
    await setRows(core.store, world.tenantId, "tenants", { timezone: "Pacific/Auckland" });
    await pull();
    clock.set("2026-03-31T12:30:00.000Z");
    const id = await pay("yen", "1200");
    clock.advance(24 * 60 * MINUTE);
    erp.forgetRequests();
    await push();
    expect((await payment(id)).erp_push_status).toBe("applied");
    const sent = erp.requests.find(({ method, path }) => method === "POST" && path.endsWith(RECEIPTS))?.body;
    expect(JSON.parse(sent ?? "")).toEqual({
      ReceiptNumber: receiptNumberOf(id),
      ReceiptMethod: "Payment Link",
      BusinessUnit: "Vision Operations",
      Amount: 1200,
      Currency: "JPY",
      ReceiptDate: "2026-04-01",
      CustomerAccountNumber: "1006",
      CustomerSite: "MAIN",
    });
  });

  it("has what the ERP last said of its business unit and site [completions.7.push]", async () => {
    expect(await invoice("one")).toMatchObject({ business_unit: "Vision Operations", customer_site: "MAIN" });
    const moved = { BusinessUnit: "Vision Services", BillToSite: "4001" };
    erp.putInvoices({ ...erpInvoice("one", [100_000n]), ...moved });
    clock.advance(MINUTE);
    expect(await pull()).toMatchObject({ invoices_updated: 1 });
    expect(await invoice("one")).toMatchObject({ business_unit: "Vision Services", customer_site: "4001" });
  });

  it("is tried again every 15 minutes for 24 hours while the ERP is unreachable, and no longer [service.8.push-retry] [service.3.3.failed]", async () => {
    const id = await pay("one", "10");
    erp.control({ mode: "500" });
    expect(await push()).toBe(1);
    expect(await payment(id)).toMatchObject({
      ...{ erp_push_status: "failed", push_retryable: true, erp_receipt_number: null },
      erp_push_error: { code: "failing", status: 500, erp: "JBO-25013: an unexpected error occurred." },
    });
    expect((await invoice("one")).erp_push_state).toBe("failed");
    clock.advance(15 * MINUTE - 1);
    expect(await push()).toBe(0);
    clock.advance(1);
    expect(await push()).toBe(1);
    clock.advance((23 * 60 + 30) * MINUTE);
    expect(await push()).toBe(1);
    expect(await payment(id)).toMatchObject({ push_retryable: true });
    clock.advance(15 * MINUTE);
    expect(await push()).toBe(1);
    const gaveUp = { push_retryable: false, attempts: 4, push_attempted_at: clock.now().toISOString() };
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", ...gaveUp });
    erp.control({ mode: "ok" });
    clock.advance(24 * 60 * MINUTE);
    expect(await push()).toBe(0);
    expect(erp.receipts).toEqual([]);
  });

  const UNREACHABLE = [{ mode: "503" }, { mode: "429" }, { mode: "drop" }, { mode: "hang" }, { mode: "cut" }] as const;
  it.each([...UNREACHABLE, ...PAGE_MODES.map((mode) => ({ mode }))])(
    "goes well at the next attempt after $mode [service.8.push-retry] [completions.7.form]",
    async (fault) => {
      const id = await pay("one", "10");
      erp.control(fault);
      const impatient: ConnectGateway = (_provider, settings) =>
        oracleFusion({ ...settings, timeoutMs: 1_000, maxRetries: 1, retryDelayMs: 5, maxRetryWaitMs: 50 });
      await push({}, impatient);
      expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_retryable: true });
      expect(await connection()).toMatchObject({ status: "temporarily_unavailable" });
      erp.control({ mode: "ok" });
      clock.advance(15 * MINUTE);
      expect(await push()).toBe(1);
      expect(await payment(id)).toMatchObject({
        erp_push_status: "applied",
        erp_push_error: null,
        push_retryable: false,
      });
      expect(erp.receipts).toHaveLength(1);
    },
  );

  it.each([
    ["401", { mode: "401" }, { code: "wrong_password", erp: "Authentication failed." }],
    [
      "403",
      { mode: "403", method: "POST" },
      { code: "not_permitted", erp: "The user does not have the privilege to access this resource." },
    ],
    ["404", { mode: "404", method: "POST" }, { code: "receipt_refused", status: 404, erp: "Not found." }],
  ] as const)("waits for a person when the ERP answers %s [service.3.3.waits]", async (_status, fault, reason) => {
    const id = await pay("one", "10");
    erp.control(fault);
    await push();
    const waiting = { erp_push_status: "failed", erp_push_error: reason, push_retryable: false };
    expect(await payment(id)).toMatchObject(waiting);
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    expect(await push()).toBe(0);
    expect(await payment(id)).toMatchObject(waiting);
    expect(erp.receipts).toEqual([]);
  });

  it("waits for a person when the ERP knows no such receipt method, or the invoice names no business unit [service.3.3.waits]", async () => {
    await act(setErp, { connectionId: world.connectionId, receiptMethod: "Cheque" });
    const unknown = await pay("one", "10");
    await push();
    expect(await payment(unknown)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "receipt_method", erp: expect.stringMatching(/^AR_INVAL_RECEIPT_MTH_ID: [^“”]+$/) },
    });
    await setRows(core.store, world.tenantId, "invoices", { business_unit: null });
    const nameless = await pay("two", "10");
    await push();
    expect(await payment(nameless)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "no_business_unit" },
      push_retryable: false,
    });
    expect(erp.receipts).toEqual([]);
  });

  it("goes well once the cause is mended and a person says so [service.3.3.waits]", async () => {
    const { connectionId } = world;
    const ids = [await pay("one", "10"), await pay("two", "20")];
    erp.control({ mode: "401" });
    await push();
    expect((await invoice("two")).erp_push_state).toBe("failed");
    clock.advance(48 * 60 * MINUTE);
    await act(reconnectErp, { connectionId, password: "another" });
    expect(await push(), "nobody has said so").toBe(0);
    erp.control({ mode: "500" });
    expect(await act(pushFailedPayments, { connectionId })).toMatchObject({ receipts_queued: 2 });
    expect(await invoice("two")).toMatchObject({ erp_push_state: "pending" });
    await push();
    expect(await payments()).toMatchObject(ids.map(() => ({ erp_push_status: "failed", push_retryable: true })));
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    await push();
    for (const id of ids) expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
    expect(await act(pushFailedPayments, { connectionId })).toMatchObject({ receipts_queued: 0 });
    const elsewhere = { connectionId: randomUUID() };
    await expect(act(pushFailedPayments, elsewhere)).rejects.toMatchObject({ code: "not_found" });
  });

  it("applies what the ERP has and refused to apply, but nothing that was taken back there [service.3.3.posted] [service.3.3.waits]", async () => {
    const takenBack = await pay("two", "20", 1);
    await push();
    const receiptId = erp.receipts[0]?.receiptId ?? "";
    erp.unapplyReceipt(receiptId, erp.receipts[0]?.applications[0]?.installmentId ?? "");
    clock.advance(MINUTE);
    await pull();
    const id = await pay("one", "10");
    erp.control({ ...APPLY, mode: "401" });
    await push();
    const refused = {
      erp_push_status: "posted",
      erp_push_error: { code: "wrong_password", erp: expect.any(String) },
    };
    expect(await payment(id)).toMatchObject({ ...refused, push_retryable: false });
    expect(await act(pushFailedPayments, { connectionId: world.connectionId })).toMatchObject({ receipts_queued: 1 });
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_push_error: null });
    expect(await push()).toBe(1);
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
    expect(await payment(takenBack)).toMatchObject({ erp_push_status: "posted" });
    expect(erp.receipts).toHaveLength(2);
  });

  it("tells of the connection what a pull would [completions.7.push-status]", async () => {
    await pay("one", "10");
    erp.control({ mode: "500" });
    await push();
    expect((await connection()).status).toBe("temporarily_unavailable");
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    await push();
    expect((await connection()).status).toBe("connected");
    erp.control({ mode: "401" });
    await pay("one", "10");
    await push();
    expect((await connection()).status).toBe("requires_reauthentication");
  });

  it("stays queued while the connection is switched off [service.3.3.pending]", async () => {
    const { connectionId } = world;
    await act(disconnectErp, { connectionId });
    const id = await pay("one", "10");
    expect(await push()).toBe(0);
    expect((await payment(id)).erp_push_status).toBe("pending");
    await act(reconnectErp, { connectionId, password: "another" });
    expect(await push()).toBe(1);
    expect(erp.receipts).toHaveLength(1);
  });
});

const CREATE = { resource: RECEIPTS, method: "POST", times: 1 } as const;
const APPLY = { resource: RECEIPTS, action: "applyReceipt", times: 1 } as const;

describe.each(A_STORE)("a push cut off on $name", ({ open }) => {
  const { core, clock, erp, pay, push, payment, payments, invoice } = usePushWorld(open);

  it("is posted, and tried again, when the ERP is lost between creation and application [service.3.3.posted] [service.8.push-retry]", async () => {
    const id = await pay("one", "10");
    erp.control({ ...APPLY, mode: "500", times: 2 });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_receipt_number: receiptNumberOf(id) });
    expect((await invoice("one")).erp_push_state).toBe("posted");
    clock.advance(15 * MINUTE);
    await push();
    expect((await payment(id)).erp_push_status).toBe("posted");
    clock.advance(15 * MINUTE);
    await push();
    expect((await payment(id)).erp_push_status).toBe("applied");
    expect(erp.receipts).toHaveLength(1);
  });

  /** The n-th call to the ERP is done, or not even sent, and its caller never hears of it: as if killed there. */
  const cuts = [1, 2, 3].flatMap((call) => [
    { call, moment: "before" },
    { call, moment: "after" },
  ]);
  it.each(cuts)(
    "by a kill $moment call $call is taken up once its lease is out [completions.7.push-found]",
    async ({ call, moment }) => {
      const id = await pay("one", "10");
      const over = new AbortController();
      let calls = 0;
      const killed = push({ giveUp: over.signal }, (provider, settings) => {
        const gateway = quickConnect(provider, settings);
        const cut = async <T>(work: () => Promise<T>): Promise<T> => {
          calls += 1;
          if (calls !== call) return work();
          if (moment === "after") await work();
          return new Promise((_, reject) => over.signal.addEventListener("abort", () => reject(over.signal.reason)));
        };
        return {
          ...gateway,
          findReceipt: (number, options) => cut(() => gateway.findReceipt(number, options)),
          createReceipt: (receipt, options) => cut(() => gateway.createReceipt(receipt, options)),
          applyReceipt: (application, options) => cut(() => gateway.applyReceipt(application, options)),
        };
      });
      await expect.poll(() => calls, { interval: 5 }).toBe(call);
      await sleep(50);
      expect(await push()).toBe(0);
      expect((await payment(id)).erp_push_status).toBe("processing");
      clock.advance(20_001);
      expect(await push()).toBe(1);
      expect((await payment(id)).erp_push_status).toBe("applied");
      expect(erp.receipts).toMatchObject([{ amount: "10", unappliedAmount: "0", applications: [{ amount: "10" }] }]);
      over.abort();
      void killed;
    },
  );

  it("by a stop is taken up at once by whoever comes next [completions.7.push-found]", async () => {
    const id = await pay("one", "10");
    erp.control({ ...CREATE, mode: "hang", when: "after-effect" });
    const giveUp = new AbortController();
    const stopped = push({ giveUp: giveUp.signal });
    await expect.poll(() => erp.receipts.length, { interval: 5 }).toBe(1);
    giveUp.abort();
    await stopped;
    expect(await payment(id)).toMatchObject({ erp_push_status: "processing", lease_expires_at: null });
    expect(await push()).toBe(1);
    expect((await payment(id)).erp_push_status).toBe("applied");
    expect(erp.receipts).toHaveLength(1);
  });

  it("by a stop between its claim and its beginning is not begun, and nothing went wrong [completions.7.push-found]", async () => {
    const id = await pay("one", "10");
    const giveUp = new AbortController();
    const errors: unknown[] = [];
    const stopping = {
      ...core,
      newId: () => {
        giveUp.abort();
        return core.newId();
      },
      log: { ...core.log, error: (fields: object) => void errors.push(fields) },
    };
    expect(await pushReceipts(stopping, quickConnect, { atOnce: 1, giveUp: giveUp.signal })).toBe(1);
    expect(errors).toEqual([]);
    expect(await payment(id)).toMatchObject({ erp_push_status: "pending", lease_expires_at: null });
    expect(erp.receipts).toEqual([]);
    expect(await push()).toBe(1);
    expect((await payment(id)).erp_push_status).toBe("applied");
  });

  it("never by another worker while its own is alive, however long it takes [completions.7.push-found]", async () => {
    const id = await pay("one", "10");
    const real = { ...core, clock: { now: () => new Date() } };
    erp.control({ resource: RECEIPTS, mode: "ok", latency_ms: 900 });
    const slow = pushReceipts(real, quickConnect, { leaseMs: 1_000 });
    await expect.poll(async () => (await payment(id)).erp_push_status, { interval: 10 }).toBe("processing");
    for (let look = 0; look < 6; look += 1) {
      await sleep(300);
      expect(await pushReceipts(real, quickConnect, { leaseMs: 1_000 })).toBe(0);
    }
    expect(await slow).toBe(1);
    expect(await push()).toBe(0);
    expect(erp.receipts).toHaveLength(1);
  });

  it("waits its turn: an ERP is told of one receipt at a time [completions.7.push]", async () => {
    for (let count = 0; count < 3; count += 1) await pay("one", "10");
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimPush(core, 20_000)));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it("leaves one receipt for each payment, of twenty payments and twenty workers [completions.7.push-found]", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await pay("one", "10"));
    const attempts = await Promise.all(ids.map(() => push({ atOnce: 1 })));
    expect(attempts.reduce((total, one) => total + one, 0)).toBe(20);
    expect((await payments()).map((row) => row.erp_push_status)).toEqual(ids.map(() => "applied"));
    expect(erp.receipts.map((one) => one.receiptNumber).sort()).toEqual(ids.map((id) => receiptNumberOf(id)).sort());
    expect(erp.requests.filter(({ method, path }) => method === "POST" && path.endsWith(RECEIPTS))).toHaveLength(20);
  });
});

describe.each(A_STORE)("the jobs of a process on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pay, push, payment } = world;
  const running: Jobs[] = [];
  afterEach(async () => {
    for (const jobs of running.splice(0)) await jobs.drain(0);
  });

  async function started(options: JobOptions = {}): Promise<Jobs> {
    const jobs = createJobs(core, { connect: quickConnect, lookEveryMs: 60_000, ...options });
    running.push(jobs);
    await jobs.start();
    return jobs;
  }

  it("push a receipt as soon as its payment is told of [completions.7.push]", async () => {
    const { tenantId } = world;
    await started();
    const id = await pay("one", "10");
    await core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId });
    await expect.poll(async () => (await payment(id)).erp_push_status).toBe("applied");
  });

  it("push what nobody told of, and what was left hanging, at their next look [completions.7.push-found]", async () => {
    const ids = [await pay("one", "10"), await pay("two", "20")];
    await claimPush(core, 20_000);
    if (core.store.kind === "postgres") clock.advance(20_001);
    await started({ lookEveryMs: 20 });
    for (const id of ids) await expect.poll(async () => (await payment(id)).erp_push_status).toBe("applied");
  });

  it("let a push under way finish when they end, or give it up for others to finish [completions.7.push-found]", async () => {
    erp.control({ resource: RECEIPTS, mode: "ok", latency_ms: 500 });
    const first = await pay("one", "10");
    clock.advance(1);
    const second = await pay("two", "20");
    const jobs = await started();
    await expect.poll(async () => (await payment(first)).erp_push_status, { interval: 10 }).toBe("processing");
    await jobs.drain(30_000);
    expect((await payment(first)).erp_push_status).toBe("applied");
    expect((await payment(second)).erp_push_status).toBe("pending");

    erp.control({ resource: RECEIPTS, mode: "hang", times: 1 });
    const hanging = await started();
    await expect.poll(async () => (await payment(second)).erp_push_status, { interval: 10 }).toBe("processing");
    await hanging.drain(0);
    expect(await payment(second)).toMatchObject({ erp_push_status: "processing", lease_expires_at: null });
    expect(await push()).toBe(1);
    expect((await payment(second)).erp_push_status).toBe("applied");
    expect(erp.receipts).toHaveLength(2);
  });
});
