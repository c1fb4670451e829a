import { resolve } from "node:path";
import { clearForLoading, dumpedRows, holdsData, Loader, SCHEMA } from "../../store/dump.ts";
import { countUnreadable } from "../accounts/reencrypt.ts";
import { recordBackup, recordRestore } from "../audit-trail/operations/service-acts.ts";
import { type Core, nowOf } from "../gate/dependencies.ts";
import { ServiceError } from "../kernel/error.ts";
import { type BackupHeader, readBackup, writeBackup } from "./backup-file.ts";

/** Who makes or restores a backup, by their name on their machine. */
interface By {
  readonly core: Core;
  readonly operator?: string | undefined;
}

/** A backup and its number of rows. */
interface Backup {
  readonly file: string;
  readonly rows: number;
}

/** Writes everything in the store, as of one moment, to a new file. Throws ServiceError. */
export async function createBackup({ core, operator }: By, path: string): Promise<Backup> {
  const file = resolve(path);
  const header = { format: "receivables-backup-1", schema: SCHEMA, created_at: nowOf(core) } as const;
  const rows = await core.store.everyShard((tx) => writeBackup(file, header, dumpedRows(tx)), "whole");
  await recordBackup(core, operator);
  return { file, rows };
}

/** Puts a backup into a store without data. Throws ServiceError; the store is then as before. */
export async function restoreBackup({ core, operator }: By, path: string): Promise<Backup> {
  const file = resolve(path);
  // A damaged file never touches the store.
  await readBackup(file, assertSameSchema, async () => undefined);
  let madeAt = "";
  const begin = (header: BackupHeader) => {
    madeAt = header.created_at;
  };
  const rows = await core.store.directory(async (tx) => {
    if (await holdsData(tx))
      throw new ServiceError("conflict", "There is data in the store: a backup goes into a new one.");
    await clearForLoading(tx);
    const loader = new Loader(tx);
    const count = await readBackup(file, begin, (row) => loader.add(row));
    await loader.flush();
    if ((await countUnreadable(tx, core.secrets)) === 0) return count;
    const message = "The backup belongs to another encryption key: give the service that one.";
    throw new ServiceError("validation_failed", message);
  });
  await core.store.maintain();
  await recordRestore(core, operator, `of ${madeAt}`);
  return { file, rows };
}

function assertSameSchema({ schema }: BackupHeader) {
  if (schema === SCHEMA) return;
  const message = `The backup is of another version of the service (${schema}): restore it with that one, then upgrade.`;
  throw new ServiceError("validation_failed", message);
}
