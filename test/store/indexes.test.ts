import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** Kept in an index for their uniqueness; nothing looks rows up by them. */
const NEVER_LOOKED_UP = ["installments.erp_installment_id"];

describe.each(STORES)("indexes on $name", ({ open }) => {
  const { store } = useStore(open);

  // Comparisons that could tell of rows by their errors come after the policy's, and no index answers them: a page of a
  // pull would look through all invoices of its connection.
  it("answer look-ups below row level security, for their columns compare without telling anything", async () => {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ column: string }>`
        select distinct class.relname || '.' || attribute.attname as column
        from pg_index as index
        join pg_class as class on class.oid = index.indrelid and class.relrowsecurity
        cross join lateral unnest(index.indkey::int2[], index.indclass::oid[]) as part (number, operators)
        join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum = part.number
        join pg_opclass as operators on operators.oid = part.operators
        join pg_am as method on method.oid = operators.opcmethod and method.amname = 'btree'
        join pg_amop as member on member.amopfamily = operators.opcfamily
          and member.amoplefttype = operators.opcintype and member.amoprighttype = operators.opcintype
        join pg_operator as operator on operator.oid = member.amopopr
        join pg_proc as comparison on comparison.oid = operator.oprcode
        where not comparison.proleakproof order by 1`.execute(tx),
    );
    expect(rows.map(({ column }) => column)).toEqual(NEVER_LOOKED_UP);
  });
});
