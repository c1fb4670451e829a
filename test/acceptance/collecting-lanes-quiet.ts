import { expect } from "vitest";
import type { Random } from "../../src/simulators/fusion/random.ts";
import { oneOf } from "./collecting-lanes-act.ts";
import { type LanesWorld, rowsOf } from "./collecting-lanes-world.ts";

/** The ERP's users enter the receipts of some payments that wait for a person, while nobody is at work. */
export async function enterByHand(world: LanesWorld, draws: Random): Promise<void> {
  const { invoices, installments, payments } = await rowsOf(world, world.tenantId);
  const numbers = new Set(world.erp.receipts.map(({ receiptNumber }) => receiptNumber));
  const waiting = payments.filter(({ erp_push_status: status, payment_id: id }) => {
    return (status === "failed" || status === "held") && world.entered.every((one) => one.paymentId !== id);
  });
  const payment = oneOf(draws, waiting);
  const part = installments.find((row) => row.installment_id === payment?.installment_id);
  const number = invoices.find((row) => row.invoice_id === payment?.invoice_id)?.invoice_number;
  const bill = world.bills.find((one) => one.number === number);
  if (payment === undefined || part === undefined || bill === undefined || !bill.present || !bill.complete) return;
  const index = Number(part.sequence_number) - 1;
  if (world.balance(bill, index) < BigInt(payment.amount_minor ?? 0)) return;
  const receipt = {
    invoice: bill.number,
    installment: index + 1,
    amount: payment.amount.replace(/\.?0+$/, (end) => (end.startsWith(".") ? "" : end)),
  };
  const entered = `HAND-${numbers.size}`;
  expect(numbers).not.toContain(entered);
  world.erp.enterReceipt({ ...receipt, number: entered });
  // The balance tells of it only as long as nothing else has raised it since the payment was recorded.
  const showed = payment.erp_outstanding_before === null ? null : payment.erp_outstanding_before;
  const isTold = showed !== null && part.erp_outstanding === showed;
  const at = world.clock.now().toISOString();
  world.entered.push({ paymentId: payment.payment_id, bill, at, isVoid: !isTold });
}
