import { z } from "zod";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { listReceipts } from "../../core/payments/list-receipts.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { ReceiptNumber, settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { type Command, option, toggle, workspaceCommand } from "../command.ts";
import { choiceOf, WholeNumber } from "../inputs.ts";
import { render, shownMoney } from "../render.ts";

const PaymentOption = option(Uuid.describe("UUID"), "ID", "which payment (see payment list)");

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

const FROM_NEXT_SYNC = "From the next sync on, the ERP's balance is taken to include the payment.";

const Settled = z.looseObject({
  in_the_erp: z
    .object({ amount: z.string().nullable(), currency: z.string().nullable(), state: z.string() })
    .nullable(),
});

const Listed = z.array(z.record(z.string(), z.json()));

/** Without an ERP there is no receipt, and so no state of one. */
function shownList(result: unknown, columns?: number): string {
  const rows = Listed.parse(result).map((row) => ({ ...row, status: row.status ?? "no ERP" }));
  return render(rows, columns);
}

/** What the ERP shows for the receipt number that the operator typed. */
function settledNote(result: unknown): string {
  const { in_the_erp: seen } = Settled.parse(result);
  if (seen === null) return `The number was not looked up in the ERP. ${FROM_NEXT_SYNC}`;
  const { amount, currency, state } = seen;
  const money = amount === null || currency === null ? "an unknown amount" : shownMoney(amount, currency);
  return `The ERP shows this receipt: ${money}, ${state}. ${FROM_NEXT_SYNC}`;
}

/** What retrying does to a receipt, by its state before. */
const QUEUED: Readonly<Record<z.output<typeof Queued>["was"], string>> = {
  held: "It was held. It is released, and queued to be pushed.",
  failed: "It had failed. It is queued to be pushed again.",
  reversed: "It was reversed in the ERP. Another receipt, with a number of its own, is queued to be pushed.",
  posted: "It is posted: the ERP has the receipt. It is queued to be applied there.",
  pending: "It was put off. It is queued to be pushed now.",
  processing: "It was put off while it was being pushed. It is queued to be pushed now.",
  applied: "It was settled by hand. That is undone, and a receipt is queued to be pushed.",
};

const Queued = pushPayment.output.pick({ was: true }).loose();

const queuedNote = (result: unknown): string =>
  `${QUEUED[Queued.parse(result).was]} See how it ends with payment list.`;

export const paymentCommands: readonly Command[] = [
  workspaceCommand("payment list", {
    summary: "payments and the state of their receipts in the ERP, latest first",
    input: z.strictObject({
      status: option(
        choiceOf("held", "pending", "processing", "posted", "applied", "failed", "reversed").optional(),
        "failed|reversed|held|…",
        "only receipts in this state",
      ),
      limit: option(
        WholeNumber.pipe(z.number().min(1).max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`)).optional(),
        "N",
        `maximum number, default ${DEFAULT_LIMIT}`,
      ),
    }),
    run: ({ operate }, { status, limit }) => operate(listReceipts, { status, limit }),
    show: shownList,
  }),
  workspaceCommand("payment retry", {
    summary: "push one receipt (again): held, failed, reversed, or in the ERP and not applied",
    input: z.strictObject({
      payment: PaymentOption,
      anyway: toggle("even where the ERP's balance already seems to hold the money, or its invoice is retired"),
      settledByMistake: toggle(
        "even where somebody settled it by hand: that was a mistake, and the ERP does not have it",
      ),
    }),
    run: ({ operate }, { payment: paymentId, anyway = false, settledByMistake = false }) =>
      operate(pushPayment, { paymentId, anyway, settledByMistake }),
    note: queuedNote,
  }),
  workspaceCommand("payment settle-by-hand", {
    summary: "note that somebody entered the receipt in the ERP; nothing is pushed",
    input: z.strictObject({
      payment: PaymentOption,
      receiptNumber: option(ReceiptNumber, "N", "the receipt's number in the ERP"),
      unchecked: toggle("accept the number without looking it up in the ERP"),
    }),
    run: ({ operate, signal }, { payment: paymentId, receiptNumber, unchecked = false }) =>
      operate(settleReceiptByHand, { paymentId, receiptNumber, check: !unchecked }, { signal }),
    note: settledNote,
  }),
];
