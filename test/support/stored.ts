import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Store, Transaction } from "../../src/store/store.ts";
import type { Tables } from "../../src/store/tables/index.ts";
import type { TenantRow } from "../../src/store/tables/workspace.ts";
import { BATCH, tenantRow } from "./book.ts";
import { insertLinks, type NewLink } from "./emailed-links.ts";

type Name = keyof Tables;
type Row<T extends Name> = Selectable<Tables[T]>;
/** Rows to be added, by table; those of links with the columns of their emails. */
type Given = {
  readonly [T in Exclude<Name, "payment_links">]?: Insertable<Tables[T]> | readonly Insertable<Tables[T]>[];
} & { readonly payment_links?: NewLink | readonly NewLink[] };

/** A workspace's id; null, as only a test may, for rows of the directory and of every workspace. */
type Of = string | null;

const within = <T>(store: Store, of: Of, how: "read" | "write", work: (tx: Transaction) => Promise<T>): Promise<T> =>
  of === null ? store.directory(work) : store[how](of, work);

const isOf = (of: Of, having: object): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...Object.entries({ ...(of === null ? {} : { tenant_id: of }), ...having }).map(([column, value]) =>
        value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
      ),
    ],
    sql` and `,
  );

/** The rows of a table as they are stored, those that have these values, in the order of some columns. */
export async function rowsOf<T extends Name>(
  store: Store,
  of: Of,
  table: T,
  having: Partial<Row<T>> = {},
  ...by: (keyof Row<T> & string)[]
): Promise<Row<T>[]> {
  const order = by.length === 0 ? sql`` : sql`order by ${sql.join(by.map((column) => sql.ref(column)))}`;
  const { rows } = await within(store, of, "read", (tx) =>
    sql<Row<T>>`select * from ${sql.table(table)} where ${isOf(of, having)} ${order}`.execute(tx),
  );
  return rows;
}

/** The first of them. */
export async function rowOf<T extends Name>(...asked: Parameters<typeof rowsOf<T>>): Promise<Row<T>> {
  const [row] = await rowsOf(...asked);
  if (row === undefined) throw new Error(`there is no such row in ${asked[2]}`);
  return row;
}

/** A tenant's audit entries of these operations, in their order. */
export async function trailOf(store: Store, tenantId: string, ...operations: string[]) {
  const entries = await rowsOf(store, tenantId, "audit_entries", {}, "at", "request_id");
  return entries.filter(({ operation }) => operations.includes(operation));
}

/** Changes such rows, as only a test may. */
export async function setRows<T extends Name>(
  store: Store,
  of: Of,
  table: T,
  set: { readonly [Column in keyof Row<T>]?: Row<T>[Column] | undefined },
  having: Partial<Row<T>> = {},
): Promise<void> {
  const columns = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await within(store, of, "write", (tx) =>
    sql`update ${sql.table(table)} set ${sql.join(columns)} where ${isOf(of, having)}`.execute(tx),
  );
}

/** Adds rows, all in one transaction, in the order in which they are given. */
export const addRows = (store: Store, of: Of, given: Given): Promise<void> =>
  within(store, of, "write", async (tx) => {
    for (const [table, rows] of Object.entries(given))
      if (table === "payment_links") await insertLinks(tx, [given.payment_links ?? []].flat());
      else await insertInto(tx, table, [rows].flat());
  });

async function insertInto(tx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (let start = 0; start < rows.length; start += BATCH) {
    const values = rows.slice(start, start + BATCH).map((row) => {
      const given: Record<string, unknown> = { ...row };
      return sql`(${sql.join(columns.map((name) => (given[name] === undefined ? sql`default` : given[name])))})`;
    });
    const names = sql.join(columns.map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(tx);
  }
}

/** Makes workspaces of these rows; their ids. */
export async function addTenants(store: Store, ...given: Partial<Insertable<TenantRow>>[]): Promise<string[]> {
  const tenants = given.map(tenantRow);
  await addRows(store, null, { tenants });
  return tenants.map((row) => row.tenant_id);
}
