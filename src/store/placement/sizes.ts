import { TENANT_TABLES } from "../tables/index.ts";

/** A table, or the part of it that lies in one place. */
export interface TablePart {
  readonly table: string;
  /** Where the tenants of a shard begin; the same for all that lie together. Empty on one server. */
  readonly place: string;
  /** The worker, by host and port; null on the server that the service is connected to. */
  readonly node: string | null;
  /** Whether the shard has room for one tenant only. */
  readonly isAlone: boolean;
  readonly bytes: number;
}

/** A tenant and where it lies. */
export interface Placed {
  readonly id: string;
  /** Null where its worker is away. */
  readonly name: string | null;
  readonly place: string;
}

interface Count {
  readonly table: string;
  readonly tenantId: string;
  readonly rows: number;
}

interface Measured {
  readonly rows: number;
  readonly bytes: number;
}

/** A tenant's part of the store, by its share of the rows that lie together. */
export interface TenantSize extends Placed, Measured {
  readonly node: string | null;
  readonly isAlone: boolean;
}

/** How large everything is, the largest first. */
export interface StoreSizes {
  readonly bytes: number;
  readonly nodes: readonly { readonly node: string; readonly tenants: number; readonly bytes: number }[];
  readonly tenants: readonly TenantSize[];
  /** Rows are counted of tenants' tables only. */
  readonly tables: readonly { readonly table: string; readonly rows: number | null; readonly bytes: number }[];
}

interface Found {
  readonly parts: readonly TablePart[];
  readonly tenants: readonly Placed[];
  readonly counts: readonly Count[];
}

const total = (numbers: Iterable<number>): number => [...numbers].reduce((sum, one) => sum + one, 0);
const bytesOf = (parts: readonly TablePart[]): number => total(parts.map(({ bytes }) => bytes));
const rowsOf = (counts: readonly Count[]): number => total(counts.map(({ rows }) => rows));
const bySize = (one: { readonly bytes: number }, other: { readonly bytes: number }): number => other.bytes - one.bytes;

/** Adds up what was found. Sizes are those of tables with their indexes. */
export function sizesOf({ parts, tenants, counts }: Found): StoreSizes {
  const placeOf = new Map(tenants.map(({ id, place }) => [id, place]));
  const key = (table: string, place: string): string => `${table}@${place}`;
  const bytesAt = new Map(parts.map((part) => [key(part.table, part.place), part.bytes]));
  const rowsAt = new Map<string, number>();
  for (const { table, tenantId, rows } of counts) {
    const at = key(table, placeOf.get(tenantId) ?? "");
    rowsAt.set(at, (rowsAt.get(at) ?? 0) + rows);
  }
  const partAt = new Map(parts.map((part) => [part.place, part]));
  const countsOf = Map.groupBy(counts, ({ tenantId }) => tenantId);
  const sized = tenants.map((tenant): TenantSize => {
    const own = countsOf.get(tenant.id) ?? [];
    const share = ({ table, rows }: Count): number => {
      const at = key(table, tenant.place);
      return ((bytesAt.get(at) ?? 0) * rows) / (rowsAt.get(at) ?? rows);
    };
    const part = partAt.get(tenant.place);
    return {
      ...tenant,
      node: part?.node ?? null,
      isAlone: part?.isAlone ?? false,
      rows: rowsOf(own),
      bytes: Math.round(total(own.map(share))),
    };
  });
  const countsIn = Map.groupBy(counts, ({ table }) => table);
  const tables = [...Map.groupBy(parts, ({ table }) => table)].map(([table, of]) => ({
    table,
    rows: TENANT_TABLES.has(table) ? rowsOf(countsIn.get(table) ?? []) : null,
    bytes: bytesOf(of),
  }));
  const nodes = [...Map.groupBy(parts, ({ node }) => node)].flatMap(([node, of]) =>
    node === null ? [] : [{ node, tenants: sized.filter((tenant) => tenant.node === node).length, bytes: bytesOf(of) }],
  );
  return { bytes: bytesOf(parts), nodes, tenants: sized.toSorted(bySize), tables: tables.toSorted(bySize) };
}
