import { describe, expect, it } from "vitest";
import { adviceOnReceipt } from "../../../src/core/attention/advice.ts";
import { type AttentionEntry, listAttention, summarizeAttention } from "../../../src/core/attention/list-attention.ts";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { pushPayment } from "../../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { postponePushes } from "../../../src/demo/collecting-queries.ts";
import type { ReceiptReason } from "../../../src/erp-reasons.ts";
import ERP_SENTENCES from "../../../src/erp-sentences.json" with { type: "json" };
import { usePushWorld } from "../../support/pushes.ts";
import { rowsOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";

const HOUR = 60 * 60_000;
const CREATION = { mode: "refuse", resource: "standardReceipts", method: "POST" } as const;

describe.each(storesOf(import.meta.url))("what needs a person about receipts, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, act } = world;
  /** The list, which what pages show of it agrees with, however much they show. */
  async function list(): Promise<AttentionEntry[]> {
    const entries = await act(listAttention, {});
    for (const most of [1, 2, 100]) {
      const { oldest, counts } = await act(summarizeAttention, { most });
      expect(oldest).toEqual(entries.slice(0, most));
      expect(Object.fromEntries(counts)).toEqual(
        Object.fromEntries([...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, those]) => [kind, those.length])),
      );
    }
    return entries;
  }
  const now = () => clock.now().toISOString();
  const shown = (entries: readonly AttentionEntry[]) =>
    entries.map(({ kind, payment_id, since }) => ({ kind, payment_id, since }));
  const acts = ([entry]: readonly AttentionEntry[]) => entry?.advice.steps.map(({ act }) => act);

  it("are those held for a day, with the way to release them [completions.12.attention.late]", async () => {
    await act(setErp, { connectionId: world.connectionId, paymentPushMode: "held" });
    clock.advance(1_000);
    const since = now();
    const id = await pay("two", "100");
    clock.advance(24 * HOUR - 1);
    expect(await list()).toEqual([]);
    clock.advance(1);
    const entries = await list();
    expect(shown(entries)).toEqual([{ kind: "receipt_held", payment_id: id, since }]);
    expect(acts(entries)).toEqual([
      { kind: "push_receipt", paymentId: id, anyway: false },
      { kind: "settle_by_hand", paymentId: id },
    ]);
    const operator = { kind: "operator", tenantId: world.tenantId } as const;
    await operate(core, operator.tenantId, pushPayment, { paymentId: id, anyway: false });
    expect(await list()).toEqual([]);
    await push();
    clock.advance(48 * HOUR);
    expect(await list()).toEqual([]);
  });

  it("are those queued for a day: their ERP is disconnected, or does not answer [completions.12.attention.late]", async () => {
    const { connectionId } = world;
    const since = now();
    const id = await pay("one", "100");
    erp.control({ mode: "503" });
    await push();
    clock.advance(12 * HOUR);
    expect(await list()).toEqual([]);
    await act(disconnectErp, { connectionId });
    const queued = await pay("two", "100");
    clock.advance(12 * HOUR);
    expect(shown(await list())).toEqual([{ kind: "receipt_late", payment_id: id, since }]);
    clock.advance(12 * HOUR);
    const entries = await list();
    expect(entries.map(({ kind, payment_id }) => [kind, payment_id])).toEqual([
      ["receipt_late", id],
      ["receipt_late", queued],
    ]);
    for (const entry of entries) expect(acts([entry])).toEqual([{ kind: "reconnect_erp", connectionId }]);
  });

  it("are those that the demo put off too, and a person can push them [completions.12.attention.late]", async () => {
    const { tenantId } = world;
    const id = await pay("one", "100");
    await core.store.write(tenantId, (tx) => postponePushes(tx, tenantId, [id]));
    clock.advance(23 * HOUR);
    expect(await list()).toEqual([]);
    clock.advance(25 * HOUR);
    await push();
    const [late] = await list();
    expect(late).toMatchObject({ kind: "receipt_late", advice: { steps: [{ act: { kind: "push_receipt" } }] } });
    expect(await act(pushPayment, { paymentId: id, anyway: false })).toMatchObject({
      was: "pending",
    });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
  });

  it("are those that the ERP was to match by itself and has not for a day [completions.12.attention.late]", async () => {
    await act(setErp, { connectionId: world.connectionId, applyMode: "automatch" });
    const id = await pay("one", "100");
    clock.advance(HOUR);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "posted", erp_push_error: null });
    const since = now();
    clock.advance(23 * HOUR);
    await pull();
    expect(await list()).toEqual([]);
    clock.advance(HOUR);
    const entries = await list();
    expect(shown(entries)).toEqual([{ kind: "receipt_late", payment_id: id, since }]);
    expect(entries[0]?.advice).toMatchObject({
      say: expect.stringContaining("Match it to its invoice there"),
      steps: [],
    });
  });

  it("are told since when they do: since the attempts that failed, not since the payment [completions.12.attention.since]", async () => {
    const id = await pay("one", "10");
    clock.advance(5 * HOUR);
    erp.control(CREATION);
    await push();
    expect(shown(await list())).toEqual([{ kind: "receipt_failed", payment_id: id, since: now() }]);
  });

  it.each(["by the service", "by hand"])(
    "are told since when they do: since a sync saw a receipt made %s reversed, which the trail has [completions.12.attention.since]",
    async (made) => {
      const { tenantId } = world;
      const id = await pay("one", "400");
      if (made === "by hand") erp.control(CREATION);
      await push();
      erp.control({ mode: "ok" });
      let receiptId = (await payment(id)).erp_receipt_id ?? "";
      if (made === "by hand") {
        receiptId = erp.enterReceipt({ invoice: "one", amount: "400", number: "CHK-1" });
        const operator = { kind: "operator", tenantId } as const;
        await operate(core, operator.tenantId, settleReceiptByHand, { paymentId: id, receiptNumber: "CHK-1" });
      }
      clock.advance(1 * HOUR);
      await pull();
      clock.advance(30 * 24 * HOUR);
      erp.reverseReceipt(receiptId, "NSF");
      clock.advance(6 * HOUR);
      await pull();
      const since = now();
      clock.advance(6 * HOUR);
      await pull();
      expect(shown(await list())).toEqual([{ kind: "receipt_reversed", payment_id: id, since }]);
      const trail = await rowsOf(core.store, tenantId, "audit_entries", { operation: "recordReversedReceipt" });
      expect(trail).toMatchObject([
        { actor_kind: "system", actor_name: "sync", object_type: "payment", object_id: id, at: since },
      ]);
    },
  );

  it.each([
    ["closed_period", "accounting period", []],
    ["missing_attribute", "Complete in the ERP", []],
    ["business_unit", "access to the invoice's business unit", []],
    ["receipt_method", "Set up the connection's receipt method", ["set_receipt_method"]],
    ["bill_of_exchange", "Name another one", ["set_receipt_method"]],
    ["currency", "currency for receipts", []],
    ["customer", "account and site", []],
  ] as const)(
    "come with what to do about a push refused for %s [completions.12.attention.advice]",
    async (refusal, say, first) => {
      erp.control({ ...CREATION, refusal });
      const id = await pay("one", "10");
      await push();
      const entries = await list();
      expect(entries).toMatchObject([{ kind: "receipt_failed", payment_id: id }]);
      expect(entries[0]?.advice.say).toContain(say);
      expect(acts(entries)?.map(({ kind }) => kind)).toEqual([...first, "push_receipt", "settle_by_hand"]);
    },
  );

  it("come with what to do where the ERP's balance holds the money already [completions.12.attention.advice]", async () => {
    const id = await pay("one", "400");
    erp.enterReceipt({ invoice: "one", amount: "400", number: "CHK-1" });
    await push();
    expect(acts(await list())).toEqual([
      { kind: "settle_by_hand", paymentId: id },
      { kind: "push_receipt", paymentId: id, anyway: true },
    ]);
  });
});

describe("what to do about a receipt", () => {
  const FAILED = {
    payment_id: "p",
    connection_id: "c",
    connection_status: "connected",
    erp_push_status: "failed",
    needs_person: true,
    push_put_off: false,
  } as const;
  const PARAMETERS = { status: 400, what: "x", most: 1, problem: "has expired", owed: "1", before: "2" };
  /** What only the reason's own words, or the ERP's, say. */
  const WITHOUT_ADVICE = [
    ...[
      "hidden",
      "receipt_refused",
      "no_success",
      "application_refused",
      "reversed",
      "unexpected",
      "no_amount",
      "no_id",
    ],
    ...["refused", "unusable", "beyond_bound", "leads_inside", "no_address", "secret_in_address"],
    // Of syncs.
    ...["stopped", "cut_off", "switched_off", "disconnected", "reconnected"],
  ];
  const say = (erp_push_error: ReceiptReason | null) => adviceOnReceipt({ ...FAILED, erp_push_error }).say;

  it("is known for each reason that a person can do something about, and for no other [completions.12.attention.advice]", () => {
    const withCode = (code: string): ReceiptReason => JSON.parse(JSON.stringify({ code, ...PARAMETERS }));
    const unknown = say(null);
    const codes = Object.keys(ERP_SENTENCES);
    expect(codes.filter((code) => say(withCode(code)) === unknown)).toEqual(WITHOUT_ADVICE);
    for (const code of codes) expect(say({ ...withCode(code), erp: "No." }), code).toBe(say(withCode(code)));
    expect(say({ code: "refused", status: 400, erp: ERP_SENTENCES.closed_period })).toBe(unknown);
    expect(say({ code: "not_reached", outcome_unknown: true })).toMatch(/^The ERP stopped answering while/);
  });

  it("begins with the connection where that refuses every push [completions.12.attention.advice]", () => {
    for (const connection_status of ["disconnected", "requires_reauthentication"] as const) {
      const { steps } = adviceOnReceipt({
        ...FAILED,
        connection_status,
        erp_push_error: { code: "wrong_password" },
      });
      expect(steps.map(({ act }) => act.kind)).toEqual(["reconnect_erp", "push_receipt", "settle_by_hand"]);
    }
  });
});
