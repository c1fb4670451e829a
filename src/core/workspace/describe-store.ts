import { z } from "zod";
import { type MeasuredStore, measureStore } from "../../store/placement/description.ts";
import type { Core } from "../gate/dependencies.ts";
import { Uuid } from "../kernel/wire-types.ts";

const Bytes = z.int();
const Rows = z.int();

/** What the store is, how workspaces lie in it and how large everything is, with indexes; the largest first. */
export const StoreDescription = z.strictObject({
  kind: z.enum(["embedded", "postgresql", "citus"]),
  postgresql_version: z.string(),
  citus_version: z.string().nullable(),
  size_bytes: Bytes,
  standbys: z.array(z.strictObject({ name: z.string(), state: z.string(), mode: z.string() })),
  workers: z.array(
    z.strictObject({ worker: z.string(), is_away: z.boolean(), workspaces: z.int(), size_bytes: Bytes }),
  ),
  workspaces: z.array(
    z.strictObject({
      id: Uuid,
      /** Null where its worker is away. */
      name: z.string().nullable(),
      worker: z.string().nullable(),
      /** It lies in a shard of its own. */
      is_alone: z.boolean(),
      rows: Rows,
      size_bytes: Bytes,
    }),
  ),
  tables: z.array(z.strictObject({ table: z.string(), rows: Rows.nullable(), size_bytes: Bytes })),
});
export type StoreDescription = z.output<typeof StoreDescription>;

/** Describes the store, for operators. Counts rows, which takes a while in a large one. */
export async function describeStore({ store }: Pick<Core, "store">): Promise<StoreDescription> {
  const found = await measureStore(store);
  const { kind, version: postgresql_version, citusVersion: citus_version, bytes: size_bytes, standbys } = found;
  return {
    ...{ kind, postgresql_version, citus_version, size_bytes, standbys: [...standbys] },
    workers: workersOf(found),
    workspaces: found.tenants.map(({ id, name, node: worker, isAlone: is_alone, rows, bytes }) => ({
      ...{ id, name, worker, is_alone, rows, size_bytes: bytes },
    })),
    tables: found.tables.map(({ table, rows, bytes }) => ({ table, rows, size_bytes: bytes })),
  };
}

function workersOf({ nodes, away }: MeasuredStore): StoreDescription["workers"] {
  return nodes.map(({ node: worker, tenants: workspaces, bytes }) => ({
    ...{ worker, is_away: away.includes(worker), workspaces, size_bytes: bytes },
  }));
}
