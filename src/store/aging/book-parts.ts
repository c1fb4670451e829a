import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";
import type { SqlPart } from "./rollup-parts.ts";

/** A part of a book in the order of its keys: `size` of them, after the one with that key. */
export interface BookPart {
  readonly after: string | null;
  readonly size: number;
}

/** The last invoice of a part, null where the book ends in it; and which ids on `invoice_id` are in it. */
export async function invoicesOf(
  tx: Transaction,
  tenantId: string,
  { after, size }: BookPart,
): Promise<{ last: string | null; which: SqlPart }> {
  const { rows } = await sql<{ invoice_id: string }>`
    select invoice_id from invoices where tenant_id = ${tenantId} and (${after}::uuid is null or invoice_id > ${after})
    order by invoice_id limit 1 offset ${size - 1}`.execute(tx);
  const last = rows[0]?.invoice_id ?? null;
  const uuid = (id: string | null): SqlPart | null => (id === null ? null : sql`${id}::uuid`);
  return { last, which: between("invoice_id", uuid(after), uuid(last)) };
}

/** Keys after one and up to another; open where one is null, for what is kept may lie before or behind all that should be. */
export function between(key: string, after: SqlPart | null, last: SqlPart | null) {
  const ends = [
    ...(after === null ? [] : [sql`${sql.ref(key)} > ${after}`]),
    ...(last === null ? [] : [sql`${sql.ref(key)} <= ${last}`]),
  ];
  return ends.length === 0 ? sql`true` : sql`(${sql.join(ends, sql` and `)})`;
}
