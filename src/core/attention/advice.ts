import type { ReceiptReason } from "../../erp-reasons.ts";
import type { AttentionItemRow } from "../../store/tables/payments.ts";
import type { OpenItem, UnappliedReceipt } from "../attention-items/attention-queries.ts";
import { money, ZERO } from "../kernel/money.ts";
import { readableMoney } from "../mail/readable.ts";

/** What a person has to do in the ERP, or on the connection, before a push can succeed; `first` is the step in this service before that. */
type Remedy = readonly [say: string, first?: "set_receipt_method" | "reconnect_erp"];

const UNREACHABLE: Remedy = ["The ERP did not answer for 24 hours. See that it does."];

const REMEDIES: Partial<Record<ReceiptReason["code"], Remedy>> = {
  closed_period: [
    "Open the accounting period of the day the customer paid in the ERP, or enter the receipt there by hand in an open one.",
  ],
  closed_period_to_apply: [
    "Open the accounting period of the day the customer paid in the ERP, or apply the receipt there.",
  ],
  receipt_method: [
    "Set up the connection's receipt method in the ERP, or name another one of the ERP's on the connection.",
    "set_receipt_method",
  ],
  bill_of_exchange: ["Name another one of the ERP's receipt methods on the connection.", "set_receipt_method"],
  missing_field: ["Complete in the ERP the invoice, or what its receipt method asks for."],
  business_unit: ["Give the connection's user access to the invoice's business unit in the ERP."],
  currency: ["Enable the payment's currency for receipts in the ERP."],
  customer: ["Check the customer's account and site in the ERP."],
  less_unapplied: ["See in the ERP what the receipt was applied to, and correct that there."],
  less_owed: ["Apply the receipt in the ERP to what is left there, and refund the rest at the payment provider."],
  reversed_there: ["The next sync takes in that the receipt is reversed."],
  invoice_incomplete: ["Complete the invoice in the ERP, or apply the receipt there."],
  other_currency: ["Check the currencies of the invoice and the receipt in the ERP."],
  other_customer: ["Check in the ERP which customer the invoice is billed to."],
  no_application: ["Apply the receipt in the ERP: the next sync sees that."],
  number_taken: ["See in the ERP which receipt has the payment's number, and correct it there."],
  wrong_password: ["Give the connection a password that the ERP accepts.", "reconnect_erp"],
  not_permitted: ["Have the connection's user given the privilege that is missing in the ERP."],
  no_answer: UNREACHABLE,
  not_reached: UNREACHABLE,
  limiting: UNREACHABLE,
  failing: UNREACHABLE,
  not_the_erp: UNREACHABLE,
  certificate: UNREACHABLE,
  billed_otherwise: ["Enter the receipt in the ERP by hand, or refund the payment at the payment provider."],
  no_business_unit: ["Complete the invoice's business unit in the ERP, and have the next sync take it in."],
  no_customer: ["Complete the invoice's customer in the ERP, and have the next sync take it in."],
  no_number: ["Match the receipt to its invoice in the ERP: the next sync sees that."],
  no_installment: ["Apply the receipt in the ERP: the next sync sees that."],
  not_shown: ["See in the ERP whether the receipt is still there, and shown to this user."],
  invoice_not_shown: ["See that the connection's user is shown the invoice in the ERP."],
  taken_back: ["See in the ERP why the receipt is not applied, and apply or reverse it there."],
};

const ENTERED_OR_TWICE = [
  "Somebody entered this money in the ERP by hand, or the customer paid twice: then refund one of the two at the payment provider.",
  "Where it is neither, such as a credit memo",
] as const;

/** Of what was not sent, because the ERP may have the money, and when to push it all the same. */
const HELD: Partial<Record<ReceiptReason["code"], readonly [say: string, anyway: string]>> = {
  balance_less: ENTERED_OR_TWICE,
  balance_fell: ENTERED_OR_TWICE,
  invoice_retired: [
    "See in the ERP whether this money was entered by hand. If the invoice was cancelled, refund the payment at the payment provider.",
    "Where it is to be in the ERP, and is not",
  ],
};

const UNKNOWN: Remedy = ["See in the reason what the ERP says, and mend it there."];
const OUTCOME_UNKNOWN: Remedy = [
  "The ERP stopped answering while it was told of the receipt. Once it answers, a push finds the receipt if it is there, and makes it if it is not.",
];

function remedyFor(reason: ReceiptReason | null) {
  if (reason?.outcome_unknown) return OUTCOME_UNKNOWN;
  return (reason && REMEDIES[reason.code]) ?? UNKNOWN;
}

type Receipt = Pick<
  UnappliedReceipt,
  | "payment_id"
  | "connection_id"
  | "connection_status"
  | "erp_push_status"
  | "erp_push_error"
  | "push_put_off"
  | "needs_person"
>;

/** What to do about a receipt that is not applied in the ERP, by its state and why it is in it. */
export function adviceOnReceipt(receipt: Receipt): Advice {
  const { erp_push_status: status, needs_person: needsPerson } = receipt;
  const { push, byHand } = actsOn(receipt);
  if (status === "reversed")
    return {
      say: "See in the ERP why the receipt was reversed, and at the payment provider whether the money came in. If it did, \
make another receipt. If it did not, the ERP asks the customer for it again, and here it stays off what is outstanding: have \
it paid another way, and settle this payment by the number of the receipt for that.",
      steps: [step("If the money came in", push()), step("Where it was entered again in the ERP", byHand)],
    };
  if (status === "held")
    return {
      say: "It is held until somebody pushes it.",
      steps: [step("To push it now", push()), step("Where it was entered in the ERP by hand", byHand)],
    };
  return needsPerson ? adviceOnFailed(receipt) : adviceOnWaiting(receipt);
}

function adviceOnFailed(receipt: Receipt): Advice {
  const { erp_push_status: status, erp_push_error: error } = receipt;
  const { push, byHand } = actsOn(receipt);
  const held = error && HELD[error.code];
  if (held) return { say: held[0], steps: [step("Where it was entered by hand", byHand), step(held[1], push(true))] };
  const [say, first] = remedyFor(error);
  const reconnect = reconnectOf(receipt) ?? (first === "reconnect_erp" ? reconnecting(receipt) : []);
  const setting = first === "set_receipt_method" ? settingMethod(receipt) : [];
  const again = step(status === "posted" ? "Then have the service apply it" : "Then push it again", push());
  const entered = status === "posted" ? [] : [step("Where it was entered in the ERP by hand", byHand)];
  return { say, steps: [...reconnect, ...setting, again, ...entered] };
}

/** For a receipt that is retried by itself, or that the ERP has to match. */
function adviceOnWaiting(receipt: Receipt): Advice {
  const { erp_push_status: status, erp_push_error: error } = receipt;
  const reconnect = reconnectOf(receipt);
  if (reconnect !== null)
    return { say: "The connection to the ERP does not work: what is queued goes on once it does.", steps: reconnect };
  if (status === "posted" && error === null)
    return { say: "The ERP has the receipt. Match it to its invoice there: the next sync sees that.", steps: [] };
  return {
    say:
      error?.code === "invoice_not_shown"
        ? `${remedyFor(error)[0]} The push then goes on by itself.`
        : "The service keeps trying to push it, and it is not in the ERP yet. See that the ERP answers. If it does, ask the operator of this service.",
    steps: status === "failed" || receipt.push_put_off ? [step("To push it at once", actsOn(receipt).push())] : [],
  };
}

const step = (when: string, act: Act): AdviceStep => ({ when, act });

function actsOn({ payment_id: paymentId }: Receipt) {
  return {
    push: (anyway = false): Act => ({ kind: "push_receipt", paymentId, anyway }),
    byHand: { kind: "settle_by_hand", paymentId } satisfies Act,
  };
}

function settingMethod({ connection_id: connectionId }: Receipt): AdviceStep[] {
  return connectionId === null
    ? []
    : [step("To name another on the connection", { kind: "set_receipt_method", connectionId })];
}

function reconnecting({ connection_id: connectionId }: Receipt): AdviceStep[] {
  return connectionId === null ? [] : [step("Connect the ERP again", { kind: "reconnect_erp", connectionId })];
}

/** The first step where the connection's state prevents every push; else null. */
function reconnectOf(receipt: Receipt): AdviceStep[] | null {
  const { connection_status: status } = receipt;
  return status === "disconnected" || status === "requires_reauthentication" ? reconnecting(receipt) : null;
}

/** What to do about something that needs a person. */
export interface Advice {
  /** A few sentences. */
  readonly say: string;
  /** What the service can do, most likely or first to do first; each for its own case. */
  readonly steps: readonly AdviceStep[];
}

/** One act the service offers; the terminal shows it as a command, the pages as a button. */
interface AdviceStep {
  /** When, as the beginning of a sentence that the act ends: "Then push it again". */
  readonly when: string;
  readonly act: Act;
}

export type Act =
  /** `open`: take that back. */
  | { readonly kind: "resolve_item"; readonly id: string; readonly open?: true }
  /** `anyway`: even where the ERP's balance seems to hold the money. */
  | { readonly kind: "push_receipt"; readonly paymentId: string; readonly anyway: boolean }
  | { readonly kind: "settle_by_hand"; readonly paymentId: string }
  | { readonly kind: "set_receipt_method"; readonly connectionId: string }
  | { readonly kind: "reconnect_erp"; readonly connectionId: string }
  | { readonly kind: "retire_missing"; readonly connectionId: string };

/** What to do about invoices that a pull did not find and, for their number, did not retire. */
export function adviceOnMissing(connectionId: string): Advice {
  return {
    say: "See in the ERP whether the connection's user still sees these invoices. If it does again, the next sync finds them; until then they stay as they are, with their payment links.",
    steps: [{ when: "If they are gone for good", act: { kind: "retire_missing", connectionId } }],
  };
}

/** What to do about an invoice that a sync could not read. */
export const adviceOnSetAside: Advice = {
  say: "Correct this value in the ERP: the next sync then takes the invoice in. Until then it stays as it was read last.",
  steps: [],
};

/** By its kind, and for an invoice that an ERP has where that is more or other. */
const ITEMS: Readonly<Record<AttentionItemRow["kind"], readonly [say: string, inErp?: string]>> = {
  payment_refunded: [
    "If the customer still owes the refunded amount, make an invoice of it.",
    "Take the refunded amount back in the ERP.",
  ],
  refund_failed: [
    "The customer has not got this money back. Refund it again at the payment provider, or pay it back another way.",
    "The customer has not got this money back. Refund it again at the payment provider, or pay it back another way, and correct in the ERP what was taken back for it.",
  ],
  payment_disputed: ["Answer the dispute at the payment provider."],
  payment_over_owed: [
    "Refund what is too much at the payment provider.",
    "Refund what is too much at the payment provider, or credit it in the ERP.",
  ],
  payment_in_other_currency: [
    "Refund it at the payment provider.",
    "Refund it at the payment provider, or enter it in the ERP.",
  ],
};

const DEALT_WITH = "Somebody marked it as dealt with.";

/** What to do about an item that a person takes off the list, or puts back. */
export function adviceOnItem(item: OpenItem): Advice {
  const { kind, attention_item_id: id } = item;
  const facts = kind === "payment_over_owed" ? paidAndOwed(item) : "";
  const [say, inErp = say] = ITEMS[kind];
  if (item.resolved_at !== null)
    return { say: DEALT_WITH, steps: [{ when: "If it is not", act: { kind: "resolve_item", id, open: true } }] };
  return {
    say: `${facts}${item.origin === "local" ? say : inErp}`,
    steps: [{ when: "Then take it off this list", act: { kind: "resolve_item", id } }],
  };
}

/** What was paid through links for an invoice, where that is more than it is for. */
function paidAndOwed({ amount_collected: paid, total_amount: total, voided_at: voided, ...item }: OpenItem) {
  const { owed_currency: currency } = item;
  if (paid === null || total === null || currency === null) return "";
  const isFor = voided === null ? money(total) : ZERO;
  if (money(paid).lessThanOrEqualTo(isFor)) return "";
  const [came, owed] = [money(paid), isFor].map((amount) => readableMoney(amount, currency));
  return `Paid through links: ${came}; the invoice is ${voided === null ? `for ${owed}` : "void"}. `;
}
