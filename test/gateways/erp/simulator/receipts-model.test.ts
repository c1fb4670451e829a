import { Decimal } from "decimal.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FusionSimulator } from "../../../../src/simulators/fusion/index.ts";
import { connect, installment, invoice, newReceipt, readAll, signal, simulator } from "../support.ts";

const OWED = [100, 250.5, 0.01];
const parts = OWED.map((balance, index) =>
  installment(1, index + 1, { OriginalAmount: balance, InstallmentBalanceDue: balance, AccountedBalanceDue: balance }),
);

/** Whatever is done to a program's face of the simulator may be refused, as a user's screen would. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ status: expect.any(Number) });
  }
}

/** Every figure is what the applications make of it. */
async function expectBalanced(erp: FusionSimulator): Promise<void> {
  const applications = erp.receipts.flatMap((receipt) => receipt.applications);
  const settled = (amounts: readonly { readonly amount: string }[]): Decimal =>
    amounts.reduce((total, one) => total.plus(one.amount), new Decimal(0));
  const [read] = await readAll(connect(erp.url));
  for (const [index, part] of (read?.installments ?? []).entries()) {
    const own = settled(applications.filter((one) => one.installmentId === part.erpInstallmentId));
    expect(part.outstanding).toBe(new Decimal(OWED[index] ?? 0).minus(own).toFixed());
    expect(part.closed).toBe(part.outstanding === "0");
  }
  for (const receipt of erp.receipts) {
    const rest = receipt.state === "REV" ? "0" : new Decimal(receipt.amount ?? 0).minus(settled(receipt.applications));
    expect(receipt.unappliedAmount).toBe(String(rest));
    expect(receipt.state === "Applied").toBe(receipt.state !== "REV" && receipt.unappliedAmount === "0");
  }
}

test("no order of creating, applying, matching, taking back, reversing and deleting unbalances the book", async () => {
  const which = fc.nat(3);
  const amount = fc.constantFrom("0.01", "50", "100", "250.5", "300");
  const step = fc.oneof(
    fc.record({ act: fc.constant("create"), which, amount, automatch: fc.boolean() }),
    fc.record({ act: fc.constant("apply"), which, part: fc.nat(2), amount }),
    fc.record({ act: fc.constant("unapply"), which, part: fc.nat(2) }),
    fc.record({ act: fc.constantFrom("reverse", "remove"), which }),
    fc.record({ act: fc.constant("match") }),
  );
  type Step = { act: string; which?: number; part?: number; amount?: string; automatch?: boolean };
  await fc.assert(
    fc.asyncProperty(fc.array<Step>(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const erp = await simulator({ invoices: [invoice(1, { InvoiceBalanceAmount: 350.51 }, parts)] });
      const gateway = connect(erp.url);
      for (const { act, which: at = 0, part = 0, amount: money = "1", automatch = false } of steps) {
        const receiptId = erp.receipts[at]?.receiptId ?? "1";
        const installmentId = String(parts[part]?.InstallmentId);
        if (act === "create") {
          const mode = automatch ? "automatch" : "rest_action";
          await gateway.createReceipt(newReceipt(1, { receiptNumber: `R-${at}`, amount: money, applyMode: mode }), {
            signal,
          });
        } else if (act === "apply") {
          await gateway.applyReceipt({ receiptId, erpInstallmentId: installmentId, amount: money }, { signal });
        } else if (act === "unapply") attempt(() => erp.unapplyReceipt(receiptId, installmentId));
        else if (act === "reverse") attempt(() => erp.reverseReceipt(receiptId));
        else if (act === "remove") erp.removeReceipts(receiptId);
        else erp.runAutoMatch();
      }
      await expectBalanced(erp);
      await erp.close();
    }),
    { numRuns: 60 },
  );
});
