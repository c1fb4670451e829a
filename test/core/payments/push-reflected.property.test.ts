import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { money, sum } from "../../../src/core/kernel/money.ts";
import { recordConfirmedPayment } from "../../../src/core/payments/events/record-payment.ts";
import { receiptNumberOf } from "../../../src/gateways/erp/receipt-number.ts";
import { pushReceipts } from "../../../src/jobs/push-receipts.ts";
import { createFusionSimulator, type FusionSimulator } from "../../../src/simulators/fusion/index.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { bookOf, connectWorkspace, makeTenant, quickConnect, runPull } from "../../support/pulls.ts";
import { DATASET } from "../../support/pushes.ts";
import { rowsOf } from "../../support/stored.ts";
import type { TestStore } from "../../support/stores.ts";
import { A_STORE, times } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";

const RECEIPTS = "standardReceipts";
const OWED = money("1000");

/** What anybody may do, in any order; receipts are chosen among those there are. */
const acts = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("pay" as const), amount: fc.integer({ min: 1, max: 33 }) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("push" as const) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("pull" as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("reverse" as const, "unapply" as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("automatch" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("weather" as const), is: fc.constantFrom("ok", "down", "deaf", "lossy") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("applyBy" as const), mode: fc.constantFrom("rest_action", "automatch") }),
  },
);
type Act = typeof acts extends fc.Arbitrary<infer One> ? One : never;
const steps = fc.array(fc.record({ act: acts, minutes: fc.integer({ min: 0, max: 30 }) }), {
  minLength: 8,
  maxLength: 30,
});

const WEATHER = {
  ok: { mode: "ok" },
  /** Nothing of receipts is answered. */
  down: { mode: "500", resource: RECEIPTS },
  /** What is posted never arrives. */
  deaf: { mode: "drop", resource: RECEIPTS, method: "POST" },
  /** What is posted is done, and never answered. */
  lossy: { mode: "drop", resource: RECEIPTS, method: "POST", when: "after-effect" },
} as const;

/** One invoice of 1000 with one installment, in a workspace and an ERP of its own. */
class Ledger {
  readonly core: Core;
  readonly clock: TestClock;
  readonly erp: FusionSimulator;
  readonly tenantId: string;
  readonly connectionId: string;
  bad = false;

  constructor(core: Core, clock: TestClock, erp: FusionSimulator, tenantId: string, connectionId: string) {
    this.core = core;
    this.clock = clock;
    this.erp = erp;
    this.tenantId = tenantId;
    this.connectionId = connectionId;
  }

  static async open({ store }: TestStore): Promise<Ledger> {
    const clock = new TestClock();
    const core = testCore(store, clock);
    const erp = createFusionSimulator(DATASET);
    const tenantId = await makeTenant(core);
    const ledger = new Ledger(core, clock, erp, tenantId, await connectWorkspace(core, tenantId, await erp.listen()));
    await ledger.pull();
    return ledger;
  }

  async invoice() {
    const found = [...(await bookOf(this.core, this.tenantId)).values()].find((row) => row.invoice_number === "one");
    if (found === undefined) throw new Error("the invoice is gone");
    return found;
  }

  payments() {
    const { core, tenantId } = this;
    return rowsOf(core.store, tenantId, "payments");
  }

  /** Receipts cannot be followed while the ERP does not show them: such a pull tells nothing. */
  async pull(): Promise<void> {
    if (this.bad) this.erp.control({ mode: "ok" });
    await runPull(this.core, this.tenantId, this.connectionId);
    this.bad = false;
  }

  async push(): Promise<void> {
    await pushReceipts(this.core, quickConnect);
  }

  async do(act: Act): Promise<void> {
    const { core, tenantId, connectionId, erp } = this;
    switch (act.act) {
      case "pay": {
        const { invoice_id: invoiceId, installments } = await this.invoice();
        const payment = { tenantId, invoiceId, installmentId: installments[0]?.installment_id ?? null };
        await core.store.write(tenantId, (tx) =>
          recordConfirmedPayment(tx, core, { ...payment, amount: money(String(act.amount)) }),
        );
        return;
      }
      case "push":
        return this.push();
      case "pull":
        return this.pull();
      case "automatch":
        return void erp.runAutoMatch();
      case "weather":
        this.bad = act.is !== "ok";
        return erp.control(WEATHER[act.is]);
      case "applyBy":
        return void (await operate(core, tenantId, setErp, { connectionId, applyMode: act.mode }));
      default: {
        const standing = erp.receipts.filter(({ state }) => state === "Applied" || state === "Unapplied");
        const applied = standing.filter(({ applications }) => applications.length > 0);
        if (act.act === "reverse" && standing.length > 0)
          erp.reverseReceipt(standing[act.at % standing.length]?.receiptId ?? "");
        const chosen = applied[act.at % Math.max(applied.length, 1)];
        if (act.act === "unapply" && chosen !== undefined)
          erp.unapplyReceipt(chosen.receiptId, chosen.applications[0]?.installmentId ?? "");
      }
    }
  }
}

describe.each(A_STORE)("any history of payments, pushes and reversals on $name", ({ open }) => {
  const opened = useStore(open);

  it("never asks for what was paid, leaves one receipt for each payment, and comes out even [completions.6.reflected-once] [completions.6.reversed]", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const ledger = await Ledger.open(opened);
        const { clock, erp, core, tenantId, connectionId } = ledger;
        try {
          for (const { act, minutes } of history) {
            clock.advance(minutes * 60_000);
            await ledger.do(act);
            const invoice = await ledger.invoice();
            const paid = sum((await ledger.payments()).map((row) => money(row.amount)));
            expect(invoice.amount_collected).toBe(paid.toFixed());
            expect(money(invoice.collection_outstanding).lessThanOrEqualTo(OWED.minus(paid))).toBe(true);
          }
          erp.control({ mode: "ok" });
          await operate(core, tenantId, setErp, { connectionId, applyMode: "rest_action" });
          for (let quiet = 0; quiet < 3; quiet += 1) {
            clock.advance(16 * 60_000);
            await ledger.push();
            erp.runAutoMatch();
            await ledger.pull();
          }
          const payments = await ledger.payments();
          const inErp = new Map(erp.receipts.map((receipt) => [receipt.receiptNumber, receipt.state]));
          expect(erp.receipts).toHaveLength(payments.length);
          const states = { Applied: "applied", Unapplied: "posted", REV: "reversed" } as Record<string, string>;
          expect(payments.map((row) => row.erp_push_status)).toEqual(
            payments.map((row) => states[inErp.get(receiptNumberOf(row.payment_id)) ?? ""]),
          );
          const left = OWED.minus(sum(payments.map((row) => money(row.amount))));
          expect((await ledger.invoice()).collection_outstanding).toBe(left.toFixed());
        } finally {
          await erp.close();
        }
      }),
      { numRuns: times(8, 30) },
    );
  });
});
