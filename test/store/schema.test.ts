import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { CROSSING_REFERENCES } from "../../src/store/dump.ts";
import { DIRECTORY_TABLES, TENANT_TABLES } from "../../src/store/tables/index.ts";
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

interface Reference {
  target: string;
  columns: string[];
}

describe.each(STORES)("references on $name", ({ open }) => {
  const { store } = useStore(open, { isNew: true });

  // A plan made while a table is empty stays in use while it is filled.
  it("are checked by the primary key, even those made while the table is empty [facts.store.references]", async () => {
    const wrong = await everyRow(store, async (tx) => {
      const { rows } = await sql<Reference>`
        select distinct constraints.confrelid::regclass::text as target, (
          select array_agg(attname::text order by attnum) from pg_attribute
          where attrelid = constraints.confrelid and attnum = any(constraints.confkey)) as columns
        from pg_constraint as constraints where contype = 'f' and connamespace = 'public'::regnamespace`.execute(tx);
      expect(rows.map(({ target }) => target)).toContain("invoices");
      const found: string[] = [];
      for (const { target, columns } of rows) {
        const condition = columns.map((name) => `${name} = '00000000-0000-0000-0000-000000000001'::uuid`).join(" and ");
        const plan = await sql
          .raw<{ "QUERY PLAN": string }>(`explain select 1 from only ${target} where ${condition} for key share`)
          .execute(tx);
        const text = plan.rows.map((row) => row["QUERY PLAN"]).join("\n");
        if (!text.includes(`using ${target}_pkey`)) found.push(`${target}: ${text}`);
      }
      return found;
    });
    expect(wrong).toEqual([]);
  });

  it("across the directory and tenants are those that a backup's order minds where workers have none [contract.operation.backup]", async () => {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ from: string; to: string }>`
        select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace order by 1`.execute(tx),
    );
    const isCrossing = (one: string, other: string): boolean => TENANT_TABLES.has(one) && DIRECTORY_TABLES.has(other);
    const crossing = rows.filter(({ from, to }) => isCrossing(from, to) || isCrossing(to, from));
    expect(crossing.map(({ from, to }) => [from, to])).toEqual(store.isDistributed ? [] : CROSSING_REFERENCES);
  });
});
