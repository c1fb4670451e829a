import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { CustomerNoteRow } from "../../store/tables/invoices.ts";

/** A note whose day has come in the workspace. */
export type DueNote = Pick<CustomerNoteRow, "customer_id" | "text"> & {
  customer_name: string | null;
  /** When that day began. */
  due_at: string;
};

const MOST = 1_000;

/** Notes that somebody is to come back to by now and that are not done, in the order of their days: the first thousand. */
export async function dueNotes(tx: Transaction, tenantId: string, now: string) {
  const { rows } = await sql<DueNote>`
    select note.customer_id, text, customer.name as customer_name,
      due_on::timestamp at time zone timezone as due_at
    from customer_notes as note
    join tenants as tenant on tenant.tenant_id = note.tenant_id
    join customers as customer on customer.tenant_id = note.tenant_id and customer.customer_id = note.customer_id
    where note.tenant_id = ${tenantId} and done_at is null
      and due_on <= (${now}::timestamptz at time zone timezone)::date
    order by due_on, note_id limit ${MOST}`.execute(tx);
  return rows;
}

export async function insertNote(tx: Transaction, note: CustomerNoteRow) {
  await tx.insertInto("customer_notes").values(note).execute();
}

/** A note, locked; undefined where the tenant has no such note. */
export function lockNote(tx: Transaction, tenantId: string, id: string) {
  return tx
    .selectFrom("customer_notes")
    .selectAll()
    .where((note) => note.and({ tenant_id: tenantId, note_id: id }))
    .forUpdate()
    .executeTakeFirst();
}

export async function updateNote(tx: Transaction, tenantId: string, id: string, change: Partial<CustomerNoteRow>) {
  const of = { tenant_id: tenantId, note_id: id };
  await tx
    .updateTable("customer_notes")
    .set(change)
    .where((note) => note.and(of))
    .execute();
}

export async function deleteNote(tx: Transaction, tenantId: string, id: string) {
  await sql`delete from customer_notes where tenant_id = ${tenantId} and note_id = ${id}`.execute(tx);
}
