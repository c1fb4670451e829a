import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";

/** Where a store is, in a form that another process can be told. */
export type Location = { readonly dataDir: string } | { readonly databaseUrl: string };

/** Opens the store that is there; `poolSize` is for PostgreSQL. */
export function openAt(location: Location, options: { poolSize?: number } = {}): Promise<Store> {
  return "dataDir" in location ? openEmbedded(location.dataDir) : openPostgres(location.databaseUrl, options);
}
