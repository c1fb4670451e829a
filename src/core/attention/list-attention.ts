import { z } from "zod";
import { VALUE_PROBLEMS } from "../../gateways/erp/gateway.ts";
import type { Transaction } from "../../store/store.ts";
import {
  countOpenItems,
  countUnapplied,
  type OpenItem,
  openItems,
  type UnappliedReceipt,
  unappliedReceipts,
} from "../attention-items/attention-queries.ts";
import { type DueNote, dueNotes } from "../customers/note-queries.ts";
import { connectionNames } from "../erp-access/connection-queries.ts";
import { OPERATORS_READ, operation, PAGES_READ, SETTINGS_READ } from "../gate/operation.ts";
import { formatMoney, formatStored, fromMinor } from "../kernel/money.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { reasonInWords } from "../payments/receipts/reason-in-words.ts";
import { type HeldRetirement, heldRetirements } from "../sync-runs/finish-queries.ts";
import { heldInWords, missingSince } from "../sync-runs/queries.ts";
import { countSetAside, listSetAside, type SetAsideInvoice } from "../sync-runs/set-aside-queries.ts";
import { type Advice, adviceOnItem, adviceOnMissing, adviceOnReceipt, adviceOnSetAside } from "./advice.ts";

/** How long a receipt may be unapplied in the ERP before people are shown it; retries end then too. */
const RECEIPT_WAITS_MS = 24 * 60 * 60_000;

/** Something that needs a person. */
export interface AttentionEntry {
  /** Null for what ends by itself once its cause does, such as a receipt that is retried. */
  readonly id: string | null;
  readonly kind:
    | OpenItem["kind"]
    | "receipt_failed"
    | "receipt_reversed"
    | "receipt_not_applied"
    | "receipt_held"
    | "receipt_late"
    | "retirement_held"
    | "invoice_set_aside"
    | "note_due";
  /** When it happened or was first known; of a receipt, when its attempts began or since when it waits. */
  readonly since: string;
  readonly invoice_number: string | null;
  readonly customer_name: string | null;
  /** The name of the ERP that a receipt goes to, or that no longer shows invoices; else null. */
  readonly erp: string | null;
  /** Major units: what was refunded, disputed, paid too much or in another currency, or the receipt's amount. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly payment_id: string | null;
  readonly payment_link_id: string | null;
  /** Of a note. */
  readonly customer_id?: string;
  /** The note, the provider's id of the payment, why the receipt is not applied, what a pull did not retire, or which value it could not read. */
  readonly detail: string | null;
  readonly advice: Advice;
}

/**
 * Everything of a workspace that needs a person (completions §12), and receipts that have not been applied in the ERP for a day or
 * longer; oldest first.
 */
export const listAttention = operation({
  id: "listAttention",
  summary:
    "Refunds, disputes, overpayments, money in another currency, notes that are due, receipts that need a person or have waited for a day, and invoices that cannot be read or whose retirement a person has to confirm",
  ...OPERATORS_READ,
  input: z.strictObject({}),
  output: z.array(z.custom<AttentionEntry>()),
  async run({ tx, actor: { tenantId }, now }) {
    const [held, unread] = [await heldRetirements(tx, tenantId), await listSetAside(tx, tenantId)];
    const receipts = await unappliedReceipts(tx, tenantId, { waitingSince: waitingSinceOf(now) });
    const erps = await namesOf(tx, tenantId, [...held, ...unread, ...receipts]);
    return inOrder([
      ...held.map(entryOfHeld(erps)),
      ...unread.map(entryOfSetAside(erps)),
      ...(await openItems(tx, tenantId)).map(entryOfItem),
      ...(await dueNotes(tx, tenantId, now)).map(entryOfNote),
      ...receipts.map(entryOfReceipt(erps)),
    ]);
  },
});

/** The same for a page: what there is of each kind, and the oldest entries only, at the same cost however many wait. */
export interface AttentionSummary {
  readonly counts: ReadonlyMap<AttentionEntry["kind"], number>;
  readonly oldest: readonly AttentionEntry[];
}

export const summarizeAttention = operation({
  id: "summarizeAttention",
  summary: "Summarize what needs a person",
  ...SETTINGS_READ,
  input: z.strictObject({ most: z.int() }),
  output: z.custom<AttentionSummary>(),
  async run({ tx, actor: { tenantId }, now }, { most }) {
    const waitingSince = waitingSinceOf(now);
    const counts = new Map<AttentionEntry["kind"], number>();
    const add = (kind: AttentionEntry["kind"], count: number) => counts.set(kind, (counts.get(kind) ?? 0) + count);
    for (const { kind, count } of await countOpenItems(tx, tenantId)) add(kind, count);
    for (const row of await countUnapplied(tx, tenantId, { waitingSince })) add(kindOfReceipt(row), row.count);
    const held = await heldRetirements(tx, tenantId);
    if (held.length > 0) add("retirement_held", held.length);
    const unread = await listSetAside(tx, tenantId, most);
    if (unread.length > 0) add("invoice_set_aside", await countSetAside(tx, tenantId));
    const notes = (await dueNotes(tx, tenantId, now)).map(entryOfNote);
    if (notes.length > 0) add("note_due", notes.length);
    const items = (await openItems(tx, tenantId, { most })).map(entryOfItem);
    const receipts = await unappliedReceipts(tx, tenantId, { waitingSince, most });
    const erps = await namesOf(tx, tenantId, [...held, ...unread, ...receipts]);
    const ofErps = [
      ...held.map(entryOfHeld(erps)),
      ...unread.map(entryOfSetAside(erps)),
      ...receipts.map(entryOfReceipt(erps)),
    ];
    return { counts, oldest: inOrder([...ofErps, ...notes, ...items]).slice(0, most) };
  },
});

/** Open items about one payment or invoice. */
export const attentionTo = operation({
  id: "listAttentionTo",
  summary: "List what needs a person about a payment or an invoice",
  ...PAGES_READ,
  input: z.union([z.strictObject({ paymentId: Uuid }), z.strictObject({ invoiceId: Uuid })]),
  output: z.array(z.custom<AttentionEntry>()),
  run: async ({ tx, actor }, about) => inOrder((await openItems(tx, actor.tenantId, about)).map(entryOfItem)),
});

export function waitingSinceOf(now: string) {
  return new Date(Date.parse(now) - RECEIPT_WAITS_MS).toISOString();
}

function inOrder(entries: AttentionEntry[]) {
  return entries.sort((one, other) => (one.since < other.since ? -1 : one.since > other.since ? 1 : 0));
}

function entryOfItem(item: OpenItem): AttentionEntry {
  const { currency, amount_minor: minor, occurred_at: happened, created_at: learnt } = item;
  const amount = currency === null || minor === null ? undefined : fromMinor(BigInt(minor), currency);
  return {
    id: item.attention_item_id,
    kind: item.kind,
    // An item that was opened again counts from what opened it.
    since: happened > learnt ? happened : learnt,
    invoice_number: item.invoice_number,
    customer_name: item.customer_name,
    erp: null,
    amount: amount === undefined ? minor : formatMoney(amount, currency),
    currency,
    payment_id: item.payment_id,
    payment_link_id: item.payment_link_id,
    detail: item.subject,
    advice: adviceOnItem(item),
  };
}

function kindOfReceipt({
  erp_push_status: status,
  needs_person: needsPerson,
}: Pick<UnappliedReceipt, "erp_push_status" | "needs_person">) {
  if (status === "held") return "receipt_held";
  if (!needsPerson) return "receipt_late";
  if (status === "reversed") return "receipt_reversed";
  return status === "posted" ? "receipt_not_applied" : "receipt_failed";
}

const namesOf = (tx: Transaction, tenantId: string, rows: readonly { readonly connection_id: string | null }[]) =>
  connectionNames(
    tx,
    tenantId,
    rows.map((row) => row.connection_id),
  );

type Erps = Awaited<ReturnType<typeof connectionNames>>;

/** What is about no item, payment or amount. */
const NONE = {
  ...{ id: null, invoice_number: null, customer_name: null },
  ...{ amount: null, currency: null, payment_id: null, payment_link_id: null },
};

const entryOfReceipt =
  (erps: Erps) =>
  (receipt: UnappliedReceipt): AttentionEntry => ({
    id: null,
    kind: kindOfReceipt(receipt),
    since: receipt.since,
    invoice_number: receipt.invoice_number,
    customer_name: receipt.customer_name,
    erp: erps.get(receipt.connection_id) ?? null,
    amount: formatStored(receipt.amount, receipt.currency),
    currency: receipt.currency,
    payment_id: receipt.payment_id,
    payment_link_id: receipt.payment_link_id,
    detail: receipt.erp_push_error && reasonInWords(receipt.erp_push_error, true),
    advice: adviceOnReceipt(receipt),
  });

const entryOfHeld =
  (erps: Erps) =>
  (held: HeldRetirement): AttentionEntry => ({
    ...NONE,
    kind: "retirement_held",
    since: missingSince(held.would_retire),
    erp: erps.get(held.connection_id) ?? null,
    detail: heldInWords(held.would_retire),
    advice: adviceOnMissing(held.connection_id),
  });

const entryOfSetAside =
  (erps: Erps) =>
  (unread: SetAsideInvoice): AttentionEntry => {
    const { erp_invoice_id: id, invoice_number: number, field, value, problem } = unread;
    return {
      ...NONE,
      kind: "invoice_set_aside",
      since: unread.since,
      invoice_number: number ?? id,
      customer_name: unread.customer_name,
      erp: erps.get(unread.connection_id) ?? null,
      detail: `${field} ${value === null ? "" : `(“${value}”) `}${VALUE_PROBLEMS[problem]}.`,
      advice: adviceOnSetAside,
    };
  };

function entryOfNote({ due_at: since, text: detail, ...note }: DueNote): AttentionEntry {
  const advice = { say: "Then mark the note as done, on the customer's page.", steps: [] };
  return { ...NONE, ...note, kind: "note_due", since, erp: null, detail, advice };
}
