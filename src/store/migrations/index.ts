import { readdirSync } from "node:fs";
import type { Migration } from "kysely/migration";
import { ConfigError } from "../../config.ts";

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

/** Of every store that was made before the first version. */
const UNRELEASED = ["001-receivables", "001-baseline"];

/** Throws ConfigError for a store that has migrations which this version has not. */
export function assertKnown(names: readonly string[]) {
  if (UNRELEASED.some((name) => names.includes(name)))
    throw new ConfigError(
      "the store was written before version 0.1.0, from which on stores are upgraded: start with a new data folder or database",
    );
  const unknown = names.find((name) => !MIGRATION_NAMES.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `the store was written by a newer version of the service (${unknown}): start that version, or restore a backup that this one made`,
    );
}
