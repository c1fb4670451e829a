import { z } from "zod";
import { listReceipts } from "../../core/payments/list-receipts.ts";
import { lookUpReceipt } from "../../core/payments/look-up-receipt.ts";
import { pushPayment } from "../../core/payments/push-payment.ts";
import { ReceiptNumber, settleReceiptByHand } from "../../core/payments/settle-receipt-by-hand.ts";
import { Uuid } from "../../core/validation.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { oneOf, WholeNumber, WorkspaceOption } from "../inputs.ts";

const PaymentOption = Uuid.describe("UUID").register(flags, {
  value: "ID",
  description: "which payment (see payment list)",
});

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

const FROM_NEXT_SYNC = "From the next sync on, the ERP's balance is taken to include the payment.";

const Settled = z.looseObject({
  in_the_erp: z
    .object({ amount: z.string().nullable(), currency: z.string().nullable(), state: z.string() })
    .nullable(),
});

/** What the ERP was seen to have, for whoever settles a payment by a number they typed. */
function settledNote(result: unknown): string {
  const { in_the_erp: seen } = Settled.parse(result);
  if (seen === null) return `The number was not looked up in the ERP. ${FROM_NEXT_SYNC}`;
  const amount = `${seen.amount ?? "an unknown amount"} ${seen.currency ?? ""}`.trim();
  return `The ERP shows this receipt: ${amount}, ${seen.state}. ${FROM_NEXT_SYNC}`;
}

export const paymentCommands: readonly Command[] = [
  command({
    noun: "payment",
    verb: "list",
    summary: "payments and what became of their receipts in the ERP, latest first",
    input: z.strictObject({
      workspace: WorkspaceOption,
      status: oneOf("held", "pending", "processing", "posted", "applied", "failed", "reversed")
        .optional()
        .register(flags, {
          value: "failed|reversed|held|…",
          description: "only receipts in this state",
        }),
      limit: WholeNumber.pipe(z.number().min(1).max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`))
        .optional()
        .register(flags, { value: "N", description: `at most so many, ${DEFAULT_LIMIT} when left out` }),
    }),
    async run({ core }, { workspace, status, limit = DEFAULT_LIMIT }) {
      return listReceipts(core, (await findWorkspace(core, workspace)).id, { status, limit });
    },
  }),
  command({
    noun: "payment",
    verb: "retry",
    summary: "push one receipt (again): held, failed, reversed, not applied, or settled by hand by mistake",
    input: z.strictObject({
      workspace: WorkspaceOption,
      payment: PaymentOption,
      anyway: z.boolean().optional().register(flags, {
        value: null,
        description: "even where the ERP's balance already seems to hold the money",
      }),
    }),
    async run({ core }, { workspace, payment: paymentId, anyway = false }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      return pushPayment(core, { kind: "operator", tenantId }, { paymentId, anyway, requestId: core.newId() });
    },
    note: "Queued. See how it ends with payment list.",
  }),
  command({
    noun: "payment",
    verb: "settle-by-hand",
    summary: "note that somebody entered the receipt in the ERP; nothing is pushed",
    input: z.strictObject({
      workspace: WorkspaceOption,
      payment: PaymentOption,
      receipt_number: ReceiptNumber.register(flags, { value: "N", description: "the receipt's number in the ERP" }),
      unchecked: z.boolean().default(false).register(flags, {
        value: null,
        description: "take the number as it is, without looking it up in the ERP",
      }),
    }),
    async run({ core, signal }, { workspace, payment: paymentId, receipt_number: receiptNumber, unchecked }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      const seen = unchecked ? null : await lookUpReceipt(core, tenantId, { paymentId, receiptNumber }, signal);
      const given = { paymentId, receiptNumber, requestId: core.newId() };
      return { ...(await settleReceiptByHand(core, { kind: "operator", tenantId }, given)), in_the_erp: seen };
    },
    note: settledNote,
  }),
];
