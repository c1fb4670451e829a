import { resolve } from "node:path";
import { clearForLoading, dumpedRows, holdsData, Loader, SCHEMA } from "../../store/dump.ts";
import { countUnreadable } from "../accounts/reencrypt.ts";
import { recordBackup, recordRestore } from "../audit-trail/operations/service-acts.ts";
import { nowOf } from "../gate/dependencies.ts";
import type { ByOperator } from "../gate/operator.ts";
import { workStep } from "../gate/work-step.ts";
import { ServiceError } from "../kernel/error.ts";
import { type BackupHeader, readBackup, writeBackup } from "./backup-file.ts";

/** A backup and its number of rows. */
interface Backup {
  readonly file: string;
  readonly rows: number;
}

/** Writes everything in the store, as of one moment, to a new file. Throws ServiceError. */
export async function createBackup(by: ByOperator, path: string): Promise<Backup> {
  const file = resolve(path);
  const header = { format: "receivables-backup-1", schema: SCHEMA, created_at: nowOf(by.core) } as const;
  const rows = await dump(by.core, file, header);
  await recordBackup(by);
  return { file, rows };
}

const dump = workStep({
  in: "all workspaces",
  whole: true,
  run: ({ tx }, file: string, header: BackupHeader) => writeBackup(file, header, dumpedRows(tx)),
});

/** Puts a backup into a store without data. Throws ServiceError; the store is then as before. */
export async function restoreBackup(by: ByOperator, path: string): Promise<Backup> {
  const file = resolve(path);
  // A damaged file never touches the store.
  await readBackup(file, assertSameSchema, async () => undefined);
  let madeAt = "";
  const begin = (header: BackupHeader) => {
    madeAt = header.created_at;
  };
  const rows = await load(by.core, file, begin);
  await by.core.store.maintain();
  await recordRestore(by, `of ${madeAt}`);
  return { file, rows };
}

const load = workStep({
  in: "directory",
  async run({ tx, core }, file: string, begin: (header: BackupHeader) => void) {
    if (await holdsData(tx))
      throw new ServiceError("conflict", "There is data in the store: a backup goes into a new one.");
    await clearForLoading(tx);
    const loader = new Loader(tx);
    const count = await readBackup(file, begin, (row) => loader.add(row));
    await loader.flush();
    if ((await countUnreadable(tx, core.secrets)) === 0) return count;
    const message = "The backup belongs to another encryption key: give the service that one.";
    throw new ServiceError("validation_failed", message);
  },
});

function assertSameSchema({ schema }: BackupHeader) {
  if (schema === SCHEMA) return;
  const message = `The backup is of another version of the service (${schema}): restore it with that one, then upgrade.`;
  throw new ServiceError("validation_failed", message);
}
