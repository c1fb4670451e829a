import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Store } from "../../src/store/store.ts";
import type { TenantTables } from "../../src/store/tables/index.ts";
import type { TenantRow } from "../../src/store/tables/workspace.ts";
import { tenantRow } from "./book.ts";
import { everyRow } from "./every-row.ts";

type Name = keyof TenantTables;
type Row<T extends Name> = Selectable<TenantTables[T]>;

const isOf = (tenantId: string, having: object): RawBuilder<unknown> =>
  sql.join(
    Object.entries({ tenant_id: tenantId, ...having }).map(([column, value]) =>
      value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
    ),
    sql` and `,
  );

/** A tenant's rows of a table as they are stored, those that have these values, in the order of some columns. */
export async function rowsOf<T extends Name>(
  store: Store,
  tenantId: string,
  table: T,
  having: Partial<Row<T>> = {},
  ...by: (keyof Row<T> & string)[]
): Promise<Row<T>[]> {
  const order = by.length === 0 ? sql`` : sql`order by ${sql.join(by.map((column) => sql.ref(column)))}`;
  const { rows } = await store.read(tenantId, (tx) =>
    sql<Row<T>>`select * from ${sql.table(table)} where ${isOf(tenantId, having)} ${order}`.execute(tx),
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
  tenantId: string,
  table: T,
  set: { readonly [Column in keyof Row<T>]?: Row<T>[Column] | undefined },
  having: Partial<Row<T>> = {},
): Promise<void> {
  const columns = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await store.write(tenantId, (tx) =>
    sql`update ${sql.table(table)} set ${sql.join(columns)} where ${isOf(tenantId, having)}`.execute(tx),
  );
}

/** Makes workspaces of these rows; their ids. */
export async function addTenants(store: Store, ...given: Partial<Insertable<TenantRow>>[]): Promise<string[]> {
  const rows = given.map(tenantRow);
  await everyRow(store, (tx) => tx.insertInto("tenants").values(rows).execute());
  return rows.map((row) => row.tenant_id);
}
