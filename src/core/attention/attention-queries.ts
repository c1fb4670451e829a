import type { Transaction } from "../../store/store.ts";
import type { AttentionItemRow } from "../../store/tables/payments.ts";
import { sameTenant } from "../shared/same-tenant.ts";

/** What an item is about; unique for each kind. */
export type AttentionSubject = Pick<AttentionItemRow, "tenant_id" | "kind" | "subject">;

type Facts = Omit<AttentionItemRow, "resolved_at" | "created_at" | "attention_item_id">;

/** Opens an item, or opens it again with new facts; its id and age stay. Answers whether it is new. */
export async function putItem(
  tx: Transaction,
  facts: Facts,
  { id, now }: { id: string; now: string },
): Promise<boolean> {
  const row: AttentionItemRow = { ...facts, attention_item_id: id, created_at: now, resolved_at: null };
  const { tenant_id, kind, subject, ...known } = facts;
  const stored = await tx
    .insertInto("attention_items")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "kind", "subject"]).doUpdateSet({ ...known, resolved_at: null }),
    )
    .returning("attention_item_id")
    .executeTakeFirstOrThrow();
  return stored.attention_item_id === id;
}

/** An item by what it is about, locked. */
export function lockItem(tx: Transaction, about: AttentionSubject): Promise<AttentionItemRow | undefined> {
  return tx
    .selectFrom("attention_items")
    .selectAll()
    .where("tenant_id", "=", about.tenant_id)
    .where("kind", "=", about.kind)
    .where("subject", "=", about.subject)
    .forUpdate()
    .executeTakeFirst();
}

/** An item by its id, locked. */
export function lockItemById(tx: Transaction, tenantId: string, id: string): Promise<AttentionItemRow | undefined> {
  return tx
    .selectFrom("attention_items")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("attention_item_id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateItem(
  tx: Transaction,
  { tenant_id, attention_item_id }: Pick<AttentionItemRow, "tenant_id" | "attention_item_id">,
  set: Partial<Pick<AttentionItemRow, "payment_id" | "resolved_at">>,
): Promise<void> {
  await tx
    .updateTable("attention_items")
    .set(set)
    .where("tenant_id", "=", tenant_id)
    .where("attention_item_id", "=", attention_item_id)
    .execute();
}

/** Open items with their invoices' numbers and customers, oldest first. */
export function openItems(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("attention_items as item")
    .leftJoin("invoices as invoice", sameTenant("invoice", "item", "invoice_id"))
    .selectAll("item")
    .select(["invoice.invoice_number", "invoice.customer_name"])
    .where("item.tenant_id", "=", tenantId)
    .where("item.resolved_at", "is", null)
    .orderBy("item.created_at")
    .orderBy("item.occurred_at")
    .orderBy("item.attention_item_id")
    .execute();
}

export type OpenItem = Awaited<ReturnType<typeof openItems>>[number];
