import { readdirSync } from "node:fs";
import type { Migration } from "kysely/migration";

/** The names of all migrations, in order. A released one is never edited: what changes later is a new file. */
export const MIGRATION_NAMES: readonly string[] = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{3}-.*\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();

/** All migrations by name, as Kysely's migrator takes them; loaded where they are to be run. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const load = async (name: string): Promise<[string, Migration]> => [name, await import(`./${name}.ts`)];
  return Object.fromEntries(await Promise.all(MIGRATION_NAMES.map(load)));
}
