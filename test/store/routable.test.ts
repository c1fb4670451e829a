import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { TENANT_TABLES, type Transaction } from "../../src/store/tables/index.ts";
import { breachesOf } from "../support/routable/judge.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const rulesOf = (text: string): string[] => breachesOf(text, "tenant").map(({ rule }) => rule);

describe("a statement that one tenant routes", () => {
  it.each([
    "select * from invoices where tenant_id = $1",
    'select "i"."invoice_id" from "invoices" as "i" inner join "customers" as "c" on "c"."tenant_id" = "i"."tenant_id" where "i"."tenant_id" = $1',
    "with one as (select * from payments where tenant_id = $1::uuid) select * from one join invoices as i on i.tenant_id = $1 and i.invoice_id = one.invoice_id",
    "select exists (select from members where members.tenant_id = tenants.tenant_id) from tenants where tenants.tenant_id = $1",
    "insert into tasks (tenant_id, task_id) values ($1, $2)",
    "insert into workflow_work (tenant_id, invoice_id) select $1, invoice_id from invoices where tenant_id = $1 on conflict do nothing",
    "update invoices as i set retired_at = $2 from customers as c where i.tenant_id = $1 and c.tenant_id = i.tenant_id",
    "select extract(epoch from now()) from tenants where tenant_id = $1",
    "delete from tenant_routes where kind = $1",
    "update tasks set state = case when state = $2 then $3 end where tenant_id = $1",
  ])("may be: %s", (text) => expect(rulesOf(text)).toEqual([]));

  it.each([
    ["select * from invoices where invoice_id = $1", "the tenant of invoices (invoices) by value"],
    [
      "select * from invoices as i join customers as c on c.customer_id = i.customer_id where i.tenant_id = $1",
      "the tenant of customers (c) by value",
    ],
    [
      "with one as (select tenant_id from payments where payment_id = $1) select from one",
      "the tenant of payments (payments) by value",
    ],
    [
      "update payments as p set claim_id = $1 from ready where p.tenant_id = ready.tenant_id",
      "the tenant of payments (p) by value",
    ],
    [
      "select from tenants where tenant_id = $1 and exists (select from members where members.role = $2)",
      "the tenant of members (members) by value",
    ],
    ["select from payments where payment_id = $1 for update", "the tenant of payments (payments) by value"],
    [
      "select from members as m where m.tenant_id = $1 and not exists (select from sign_in_rules as r where r.tenant_id = m.tenant_id) for update",
      "the tenant of sign_in_rules (r) by value",
    ],
    ["delete from invoices where ctid = any($1) and tenant_id = $2", "no ctid"],
    [
      "insert into tasks (tenant_id) select tenant_id from invoices where tenant_id = $1",
      "insert into tasks … select has ON CONFLICT",
    ],
    [
      "select from members as m join people as p on p.person_id = m.person_id where m.tenant_id = $1",
      "members beside people of the directory",
    ],
    [
      "insert into members (tenant_id, person_id) select $1, person_id from people on conflict do nothing",
      "members beside people of the directory",
    ],
    ["update tasks set state = case state when $2 then $3 end where tenant_id = $1", "no CASE of a value"],
    ["insert into tasks (task_id) values ($1)", "insert into tasks names its tenant"],
  ])("may not be: %s", (text, rule) => expect(rulesOf(text)).toContain(rule));

  it.each([
    ["select from payments for update skip locked", "no lock without a tenant"],
    ["select ctid from payments", "no ctid"],
    [
      "select from payments as p join tenant_routes as r on r.tenant_id = p.tenant_id",
      "payments beside tenant_routes of the directory",
    ],
  ])("may not be, of all tenants: %s", (text, rule) =>
    expect(breachesOf(text, "everyShard").map((breach) => breach.rule)).toContain(rule),
  );
});

/** Unique keys of tenants' rows without the tenant, and policies that ask another table. */
async function unroutable(tx: Transaction): Promise<{ keys: string[]; policies: string[] }> {
  const { rows: keys } = await sql<{ table: string; key: string }>`
    select index.indrelid::regclass::text as table, index.indexrelid::regclass::text as key
    from pg_index as index join pg_attribute as tenant on tenant.attrelid = index.indrelid and tenant.attname = 'tenant_id'
    where index.indisunique and not tenant.attnum = any(index.indkey::int2[])`.execute(tx);
  const { rows: policies } = await sql<{ policy: string }>`
    select tablename || '.' || policyname as policy from pg_policies
    where qual ~* '\\mselect\\M' or with_check ~* '\\mselect\\M'`.execute(tx);
  return {
    keys: keys.filter(({ table }) => TENANT_TABLES.has(table)).map(({ key }) => key),
    policies: policies.map(({ policy }) => policy),
  };
}

describe.each(STORES)("the schema on $name", ({ name, open }) => {
  const { store } = useStore(open);

  it("has no unique key of tenants' rows without the tenant, and no policy that asks another table [scale.routable-schema]", async () => {
    expect(await everyRow(store, unroutable)).toEqual({ keys: [], policies: [] });
  });

  // Citus itself refuses to make either.
  it.skipIf(name === "Citus")("would be found to have them [scale.routable-schema]", async () => {
    const undone = new Error("undone");
    const seeing = everyRow(store, async (tx) => {
      await sql`set local role none`.execute(tx);
      await sql`create unique index alone on tasks (task_id)`.execute(tx);
      await sql`create policy asking on tasks using (exists (select from members))`.execute(tx);
      expect(await unroutable(tx)).toEqual({ keys: ["alone"], policies: ["tasks.asking"] });
      throw undone;
    });
    await expect(seeing).rejects.toBe(undone);
  });
});
