import type { z } from "zod";
import type { CollectionStatus, Invoice, NotCollectibleReason } from "../../core/invoices/schema.ts";
import { money } from "../../core/kernel/money.ts";
import type { PaymentLinkStatus } from "../../core/payment-links/schema.ts";
import type { PaymentPushStatus } from "../../core/payments/schema.ts";
import { BUCKET_WORDS, RECEIPTS } from "../kit/markup.ts";
import { chip, chipOf, type States, stateWords } from "../lists/list.ts";

type Words<Key extends string> = Readonly<Record<Key, string>>;

/** Why the service cannot collect something, in a sentence (completions §4). */
export const REASON_WORDS: Words<z.output<typeof NotCollectibleReason>> = {
  retired: "The ERP no longer has the invoice",
  removed: "No longer part of the invoice",
  not_finalised: "The ERP has not finalised the invoice",
  closed: "Closed in the ERP",
  excluded: "Excluded from collections in the ERP",
  disputed: "Disputed in the ERP",
  nothing_outstanding: "Nothing is left to collect",
  no_billing_email: "The customer has no billing email",
  currency_not_supported: "No connected payment provider charges this currency",
};

/** Whether something is collectible, or why not; without a reason it is an invoice without installments. */
export function collectibleInWords(one: {
  collectible: boolean;
  not_collectible_reason: z.output<typeof NotCollectibleReason> | null;
}) {
  const { collectible, not_collectible_reason: reason } = one;
  if (reason !== null) return REASON_WORDS[reason];
  return collectible ? "Yes" : "No: it has no payment schedule";
}

const COLLECTION: States<z.output<typeof CollectionStatus>> = {
  open: ["Open", "plain"],
  paid: ["Paid", "good"],
  inactive: ["Not collectible", "quiet"],
};
const RECEIPT: States<z.output<typeof PaymentPushStatus>> = RECEIPTS;
export const LINK_CHIPS: States<z.output<typeof PaymentLinkStatus>> = {
  active: ["Active", "plain"],
  paid: ["Paid", "good"],
  deactivated: ["Withdrawn", "quiet"],
};

/** Of an invoice that owes nothing, that it cannot be collected is no news: it was settled outside this service. */
export function collectionChip({
  collection_status: status,
  collection_outstanding: outstanding,
}: Pick<z.output<typeof Invoice>, "collection_status" | "collection_outstanding">) {
  return status === "inactive" && money(outstanding).isZero()
    ? chip("Nothing owed", "quiet")
    : chip(...COLLECTION[status]);
}
export const receiptChip = chipOf(RECEIPT);
export const linkChip = chipOf(LINK_CHIPS);

/** Labels of filter values. */
export const VALUE_WORDS: Words<string> = {
  ...BUCKET_WORDS,
  ...REASON_WORDS,
  ...stateWords({ ...COLLECTION, ...RECEIPT }),
};

/** The invoice and the customer that something is about, as far as they are known. */
export function aboutInvoice(
  { invoice_number: number, customer_name: customer }: { invoice_number: string | null; customer_name: string | null },
  word: "invoice" | "Invoice" = "invoice",
) {
  return [number === null ? [] : `${word} ${number}`, customer ?? []].flat();
}
