import type { Transaction } from "../../store/store.ts";
import type { AuditEntryRow } from "../../store/tables/audit.ts";
import { connectionNames } from "../erp-access/connection-queries.ts";
import { formatMoney, formatStored, fromMinor } from "../kernel/money.ts";
import { cleanText } from "../kernel/text.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { type ObjectKind, type ObjectRow, selectObjects } from "./object-queries.ts";

/** What people call an audited object; now, not at the time of the entry. */
export type ObjectLabel = ReturnType<typeof labelOf>;

type Audited = Pick<AuditEntryRow, "object_type" | "object_id">;

/** Where objects of a kind are found. */
const PLACES: Readonly<Record<ObjectKind, readonly string[]>> = {
  payments: ["payment", "payment_batch"],
  links: ["payment_link"],
  linkBatches: ["payment_link_batch"],
  invoices: ["invoice"],
  items: ["attention_item"],
  tasks: ["task"],
  members: ["member"],
  keys: ["api_key"],
  assistants: ["assistant_connection"],
  erps: ["erp_connection"],
  integrations: ["payment_integration"],
  invitations: ["invitation"],
  customers: ["customer"],
  workflows: ["workflow"],
};
const LABELLED = Object.values(PLACES).flat();

/**
 * Finds what people call the objects of a page of entries, with one query for all of them. Answers the labels of an entry:
 * none where its object is of another kind or not the workspace's, several where it is a batch.
 */
export async function labelObjects(
  tx: Transaction,
  tenantId: string,
  entries: readonly Audited[],
): Promise<(entry: Audited) => ObjectLabel[]> {
  if (!entries.some(isLabelled)) return () => [];
  const idsIn = (place: ObjectKind) =>
    entries.filter((entry) => PLACES[place].includes(entry.object_type ?? "")).flatMap(idsOf);
  const rows = await selectObjects(tx, tenantId, idsIn);
  const erps = await connectionNames(tx, tenantId, idsIn("erps"));
  const named = rows.map((row) => ({ ...row, name: erps.get(row.object_id) ?? row.name }));
  const found = Map.groupBy(named, (row) => row.object_id);
  return (entry) =>
    isLabelled(entry)
      ? idsOf(entry)
          .flatMap((id) => found.get(id) ?? [])
          .map(labelOf)
      : [];
}

const isLabelled = ({ object_type: type }: Audited) => type !== null && LABELLED.includes(type);

/** A batch names all that was in it, or itself. */
function idsOf({ object_id: ids }: Audited) {
  return (ids ?? "").split(" ").filter((id) => Uuid.safeParse(id).success);
}

function labelOf(row: ObjectRow) {
  const { invoice_number: invoiceNumber, customer_name: customerName, currency, amount_minor: minor } = row;
  const major = currency === null || minor === null ? undefined : fromMinor(BigInt(minor), currency);
  return {
    /** Of a person, key, assistant, ERP, provider, invitation, customer or workflow. */
    name: row.name === null ? null : cleanText(row.name),
    invoiceId: row.invoice_id,
    invoiceNumber,
    customerName,
    /** Major units of `currency`. */
    amount: major === undefined ? formatStored(row.amount, currency) : formatMoney(major, currency),
    currency,
    /** The ERP's number of a payment's receipt. */
    receiptNumber: row.receipt_number,
  };
}
