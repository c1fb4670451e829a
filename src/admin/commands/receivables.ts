import type { z } from "zod";
import { readBridge } from "../../core/aging/operations/bridge.ts";
import { rebuildRollup } from "../../core/aging/operations/rebuild-rollup.ts";
import { verifyRollup } from "../../core/aging/verify-rollup.ts";
import type { Advice } from "../../core/attention/advice.ts";
import { listAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import {
  addCustomerNote,
  changeCustomerNote,
  completeCustomerNote,
  removeCustomerNote,
} from "../../core/customers/operations/customer-notes.ts";
import { listCustomerHistory } from "../../core/customers/operations/list-customer-history.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { createLocalInvoice } from "../../core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../core/invoices/operations/edit-local-invoice.ts";
import { settleLocalInvoice } from "../../core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../core/invoices/operations/void-local-invoice.ts";
import { resendPaymentLinkEmail } from "../../core/payment-links/operations/emails.ts";
import { listReceipts } from "../../core/payments/list-receipts.ts";
import { pushPayment } from "../../core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../core/payments/operations/settle-receipt-by-hand.ts";
import { command } from "../command.ts";
import { switchFrom } from "../fields.ts";
import { shownMoney } from "../render.ts";

const FROM_NEXT_SYNC = "From the next sync on, the ERP's balance is taken to include the payment.";

/** What the ERP shows for the receipt number that the operator typed. */
function settledNote({ in_the_erp: seen, erp_push_status: status }: z.output<typeof settleReceiptByHand.output>) {
  if (seen === null) return `The number was not looked up in the ERP. ${FROM_NEXT_SYNC}`;
  const { amount, currency, state } = seen;
  const money = amount === null || currency === null ? "an unknown amount" : shownMoney(amount, currency);
  const follows = status === "posted" ? "Apply it there, or have it applied by payment retry." : FROM_NEXT_SYNC;
  return `The ERP shows this receipt: ${money}, ${state}. ${follows}`;
}

/** What retrying does to a receipt, by its state before. */
const QUEUED = {
  held: "It was held. It is released, and queued to be pushed.",
  failed: "It had failed. It is queued to be pushed again.",
  reversed: "It was reversed in the ERP. Another receipt, with a number of its own, is queued to be pushed.",
  posted: "It is posted: the ERP has the receipt. It is queued to be applied there.",
  pending: "It was put off. It is queued to be pushed now.",
  processing: "It was put off while it was being pushed. It is queued to be pushed now.",
  applied: "It was settled by hand. That is undone, and a receipt is queued to be pushed.",
};

/** The command of each act, and what it takes besides what the act names. */
const DOING = {
  resolve_item: ["attention resolve"],
  push_receipt: ["payment retry"],
  settle_by_hand: ["payment settle-by-hand", "--receipt-number", "NUMBER"],
  set_receipt_method: ["erp set", "--receipt-method", "'NAME'"],
  reconnect_erp: ["erp reconnect", "--password-stdin"],
  retire_missing: ["erp sync", "--retire-missing"],
};

/** Words that need no quotes in a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** What to do as an operator reads it: a sentence, then each command, ready to be pasted into a shell. */
function adviceAtTerminal({ say, steps }: Advice, workspace: string) {
  const name = PLAIN_WORD.test(workspace) ? workspace : `'${workspace.replaceAll("'", "'\\''")}'`;
  const commands = steps.map(({ when, act: { kind, ...named } }) => {
    const [command, ...more] = DOING[kind];
    const options = Object.entries(named).flatMap(([field, value]) =>
      value === false ? [] : [`--${field.replace("Id", "")}`, ...(value === true ? [] : [value])],
    );
    return `${when}:\nnpm run admin -- ${[command, "--workspace", name, ...options, ...more].join(" ")}`;
  });
  return [say, ...commands].join("\n");
}

const failure = ({ differences }: { differences: number }) =>
  differences === 0 ? null : "the roll-up does not match the invoices; run `aging rebuild`";

export const receivablesCommands = [
  command("payment list", listReceipts, {
    // Without an ERP there is no receipt, and so no state of one.
    show: (rows) => [rows.map((row) => ({ ...row, status: row.status ?? "no ERP" }))],
  }),
  command("payment retry", pushPayment, {
    note: ({ was, erp_push_status: now }) =>
      `${QUEUED[was === "posted" && now === "pending" ? "applied" : was]} See how it ends with payment list.`,
  }),
  command("payment settle-by-hand", settleReceiptByHand, {
    options: {
      check: ["--unchecked", "accept the number without looking it up in the ERP", switchFrom(true, false)],
    },
    note: settledNote,
  }),
  command("attention list", listAttention, {
    async run({ operate, workspace }) {
      const entries = await operate(listAttention, {});
      return entries.map(({ advice, ...entry }) => ({ ...entry, what_to_do: adviceAtTerminal(advice, workspace) }));
    },
  }),
  command("attention resolve", resolveAttention),
  command("invoice create", createLocalInvoice),
  command("invoice edit", editLocalInvoice),
  command("invoice void", voidLocalInvoice),
  command("invoice settle", settleLocalInvoice),
  command("customer email", setCustomerEmail),
  command("customer set-mail", setCustomerMailing),
  command("customer show-mail", getCustomerMailing),
  command("customer history", listCustomerHistory),
  command("customer note", addCustomerNote),
  command("customer change-note", changeCustomerNote),
  command("customer complete-note", completeCustomerNote),
  command("customer remove-note", removeCustomerNote),
  command("link resend", resendPaymentLinkEmail),
  command("aging verify", verifyRollup, { failure }),
  command("aging rebuild", rebuildRollup, { failure }),
  command("aging bridge", readBridge),
];
