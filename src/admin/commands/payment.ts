import { z } from "zod";
import { listReceipts } from "../../core/payments/list-receipts.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { type Command, command } from "../command.ts";
import type { Typed } from "../options.ts";
import { render, shownMoney } from "../render.ts";

const PAYMENT: Typed = ["--payment ID", "which payment (see payment list)"];

const FROM_NEXT_SYNC = "From the next sync on, the ERP's balance is taken to include the payment.";

/** What the ERP shows for the receipt number that the operator typed. */
function settledNote({ in_the_erp: seen }: z.output<typeof settleReceiptByHand.output>): string {
  if (seen === null) return `The number was not looked up in the ERP. ${FROM_NEXT_SYNC}`;
  const { amount, currency, state } = seen;
  const money = amount === null || currency === null ? "an unknown amount" : shownMoney(amount, currency);
  return `The ERP shows this receipt: ${money}, ${state}. ${FROM_NEXT_SYNC}`;
}

/** What retrying does to a receipt, by its state before. */
const QUEUED: Readonly<Record<z.output<typeof pushPayment.output>["was"], string>> = {
  held: "It was held. It is released, and queued to be pushed.",
  failed: "It had failed. It is queued to be pushed again.",
  reversed: "It was reversed in the ERP. Another receipt, with a number of its own, is queued to be pushed.",
  posted: "It is posted: the ERP has the receipt. It is queued to be applied there.",
  pending: "It was put off. It is queued to be pushed now.",
  processing: "It was put off while it was being pushed. It is queued to be pushed now.",
  applied: "It was settled by hand. That is undone, and a receipt is queued to be pushed.",
};

export const paymentCommands: readonly Command[] = [
  command("payment list", listReceipts, {
    options: { status: "failed|reversed|held|…" },
    // Without an ERP there is no receipt, and so no state of one.
    show: (rows, columns) =>
      render(
        rows.map((row) => ({ ...row, status: row.status ?? "no ERP" })),
        columns,
      ),
  }),
  command("payment retry", pushPayment, {
    options: { paymentId: PAYMENT, anyway: ["", undefined, z.boolean().default(false)], settledByMistake: "" },
    note: ({ was }) => `${QUEUED[was]} See how it ends with payment list.`,
  }),
  command("payment settle-by-hand", settleReceiptByHand, {
    options: {
      paymentId: PAYMENT,
      receiptNumber: "N",
      check: [
        "--unchecked",
        "accept the number without looking it up in the ERP",
        z
          .boolean()
          .default(false)
          .transform((isUnchecked) => !isUnchecked),
      ],
    },
    note: settledNote,
  }),
];
