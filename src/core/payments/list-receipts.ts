import { z } from "zod";
import { connectionNames } from "../erp-access/connection-queries.ts";
import { OPERATORS_READ, operation } from "../gate/operation.ts";
import { formatMinor, formatStored } from "../kernel/money.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { latestReceipts, type ListedReceipt as Row } from "./list-queries.ts";
import { reasonInWords } from "./receipts/reason-in-words.ts";
import { PaymentPushStatus } from "./schema.ts";

/** A payment and the state of its receipt. */
const ListedReceipt = z.strictObject({
  payment: Uuid,
  invoice: z.string().nullable(),
  customer: z.string().nullable(),
  /** The name of the ERP; null where the invoice has none, as the status is. */
  erp: z.string().nullable(),
  amount: z.string(),
  currency: z.string(),
  paid_at: z.string(),
  status: PaymentPushStatus.nullable(),
  receipt_number: z.string().nullable(),
  /** A person said that the ERP has the money by this receipt. */
  settled_by_hand: z.boolean(),
  refunded: z.string().nullable(),
  disputed: z.boolean(),
  /** It may quote the ERP: data from outside. */
  reason: z.string().nullable(),
});

/** The latest payments of a workspace by when they were paid, and the state of their receipts; of one state, where it is given. */
export const listReceipts = operation({
  id: "listReceipts",
  summary: "Payments and the state of their receipts in the ERP, latest first",
  ...OPERATORS_READ,
  input: z.strictObject({
    status: PaymentPushStatus.optional().describe("only receipts in this state"),
    limit: z.int().min(1).max(1_000, "must be at most 1000").default(100).describe("maximum number, default 100"),
  }),
  output: z.array(ListedReceipt),
  async run({ tx, actor }, { status, limit }) {
    const rows = await latestReceipts(tx, actor.tenantId, { status, limit });
    const erps = await connectionNames(
      tx,
      actor.tenantId,
      rows.map((row) => row.connection_id),
    );
    return rows.map((row) => ({
      payment: row.payment_id,
      invoice: row.invoice_number,
      customer: row.customer_name,
      erp: erps.get(row.connection_id) ?? null,
      amount: formatStored(row.amount, row.currency),
      currency: row.currency,
      paid_at: row.paid_at,
      status: row.erp_push_status,
      receipt_number: row.erp_receipt_number,
      settled_by_hand: row.settled_by_hand_at !== null,
      refunded: refundedOf(row),
      disputed: row.disputed,
      reason: row.erp_push_error && reasonInWords(row.erp_push_error),
    }));
  },
});

function refundedOf({ refunded_minor: minor, currency }: Row) {
  return minor === "0" ? null : formatMinor(minor, currency);
}
