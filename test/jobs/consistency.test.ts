import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { NO_CUSTOMER } from "../../src/core/invoices/delivery/delivered-invoice.ts";
import { recomputeTenant } from "../../src/core/invoices/recompute.ts";
import { money } from "../../src/core/kernel/money.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import type { FusionItem } from "../../src/simulators/fusion/index.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { type PullWorld, usePullWorld } from "../support/pulls.ts";
import { setPaymentPushStatus } from "../support/push-status.ts";
import { expectExactRollup } from "../support/rollup.ts";
import { rowsOf } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";
import { times } from "../support/thorough.ts";

const FIRST = 300100180000000000n;
const CUSTOMERS = [
  { partyId: 300100500000000000n, number: "1001", name: "Alder Logistics" },
  { partyId: 300100500000000000n, number: "1001", name: "Alder & Daughters" },
  { partyId: 300100500000000001n, number: "1002", name: "Nobody's address" },
] as const;

const part = fc.record({
  dueDate: fc.constantFrom("2026-02-28", "2026-03-31", null),
  balanceMinor: fc.constantFrom(0n, 1n, 50_00n, 100_00n, -20_00n),
  disputedMinor: fc.constantFrom(0n, 0n, 0n, 10n),
  excluded: fc.constantFrom(false, false, true),
  closed: fc.constantFrom(false, false, true),
});
const invoice = fc.record({
  index: fc.nat({ max: 5 }),
  customer: fc.constantFrom(CUSTOMERS[0], ...CUSTOMERS, null),
  currency: fc.constantFrom("USD", "USD", "EUR", null),
  status: fc.constantFrom("Complete", "Complete", "Frozen"),
  parts: fc.array(part, { maxLength: 3 }),
});
type Delivered = typeof invoice extends fc.Arbitrary<infer Value> ? Value : never;

function item({ index, customer, currency, status, parts }: Delivered): FusionItem {
  const installments = parts.map(({ closed, ...one }) => ({
    ...one,
    amountMinor: 100_00n,
    ...(closed ? { closedDate: "2026-03-01" } : {}),
  }));
  const head = { id: FIRST + BigInt(index) * 100n, number: `INV-${index}`, date: "2026-02-01", terms: null };
  const own = parts.length === 0 ? { own: { amountMinor: 100_00n, balanceMinor: 70_00n, dueDate: null } } : {};
  return toItem({ ...head, customer, currency, status, installments, ...own }, "Vision Operations");
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("deliver"), invoices: fc.array(invoice, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove"), index: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail"), after: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pay"), pick: fc.nat(), amount: fc.constantFrom("0.01", "50", "100") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("push"),
      pick: fc.nat(),
      status: fc.constantFrom("held", "posted", "applied", "applied", "failed", "reversed"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("charge"), currencies: fc.subarray(["USD", "EUR"]) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("email"), pick: fc.nat(), email: fc.constantFrom("own@own.example", null) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What the ERP holds, kept beside the simulator. */
type Erp = Map<number, Delivered>;

async function perform(world: PullWorld, erp: Erp, what: Step, payments: string[]): Promise<void> {
  const { core, tenantId } = world;
  switch (what.do) {
    case "deliver":
      for (const one of what.invoices) erp.set(one.index, one);
      world.erp.putInvoices(...what.invoices.map(item));
      return void (await world.pull());
    case "remove":
      erp.delete(what.index);
      world.erp.removeInvoices(String(FIRST + BigInt(what.index) * 100n));
      return void (await world.pull());
    case "fail":
      world.erp.control({ mode: "500", after: what.after });
      await world.pull();
      return world.erp.control({ mode: "ok" });
    case "pay": {
      const payable = [...(await world.book()).values()].flatMap((row) =>
        row.currency === null ? [] : row.installments.map((one) => ({ row, one })),
      );
      const target = payable[what.pick % Math.max(1, payable.length)];
      if (target === undefined) return;
      const { invoice_id: invoiceId } = target.row;
      const payment = { tenantId, invoiceId, installmentId: target.one.installment_id, amount: money(what.amount) };
      payments.push(await core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, payment)));
      return;
    }
    case "push": {
      const paymentId = payments[what.pick % Math.max(1, payments.length)];
      if (paymentId === undefined) return;
      const push = { tenantId, paymentId, status: what.status };
      return core.store.write(tenantId, (tx) => setPaymentPushStatus(tx, core, push));
    }
    case "charge":
      await operate(core, tenantId, disconnectIntegration, { provider: "sandbox" }).catch(() => undefined);
      if (what.currencies.length > 0) {
        await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: what.currencies });
      }
      return;
    case "email": {
      const ids = [...(await world.book()).values()].flatMap((row) => row.customer_id ?? []);
      const customerId = ids[what.pick % Math.max(1, ids.length)];
      if (customerId !== undefined) await operate(core, tenantId, setCustomerEmail, { customerId, email: what.email });
    }
  }
}

/** The ERP's ids of a workspace's customers, by our own. */
async function erpCustomerIds({ core, tenantId }: PullWorld): Promise<Map<string, string>> {
  const rows = await rowsOf(core.store, tenantId, "customers");
  return new Map(rows.map((row) => [row.customer_id, row.erp_customer_id]));
}

describe.each(storesOf(import.meta.url))("any history of a book on $name", ({ open }) => {
  const world = usePullWorld(open, {
    accounts: [{ PartyId: CUSTOMERS[0].partyId, PrimaryContactName: "Jo", PrimaryContactEmail: "ap@alder.example" }],
  });
  const { core, clock, book } = world;

  it("leaves figures that deriving them anew does not change, and what the ERP holds [completions.6.stored] [facts.store.rollup-kept] [service.2.3.customer]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const erp: Erp = new Map();
        const payments: string[] = [];
        const { tenantId } = world;
        world.erp.removeInvoices(...Array.from({ length: 6 }, (_, index) => String(FIRST + BigInt(index) * 100n)));
        for (const what of steps) {
          clock.advance(1_000);
          await perform(world, erp, what, payments);
          const before = await book();
          await core.store.write(tenantId, (tx) => recomputeTenant(tx, core, tenantId));
          expect(await book()).toEqual(before);
          await expectExactRollup(core, tenantId);
        }
        expect(await world.pull()).toMatchObject({ status: "succeeded" });
        const live = [...(await book()).values()].filter((row) => row.retired_at === null);
        expect(live.map((row) => row.invoice_number).sort()).toEqual(
          [...erp.keys()].map((index) => `INV-${index}`).sort(),
        );
        const customers = await erpCustomerIds(world);
        for (const row of live) {
          const held = erp.get(Number((row.invoice_number ?? "").slice(4)));
          const present = row.installments.filter((one) => one.removed_at === null);
          expect(
            present.map((one) =>
              money(one.erp_outstanding ?? "0")
                .times(money("100"))
                .toFixed(),
            ),
          ).toEqual(held?.parts.map((one) => String(one.balanceMinor)));
          expect(customers.get(row.customer_id ?? "")).toBe(held?.customer?.partyId.toString() ?? NO_CUSTOMER);
        }
      }),
      { numRuns: times(6, 12) },
    );
  });
});
