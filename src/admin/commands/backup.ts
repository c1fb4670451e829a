import { resolve } from "node:path";
import { z } from "zod";
import { countUnreadable } from "../../core/accounts/reencrypt.ts";
import { recordBackup, recordRestore } from "../../core/audit-trail/operations/service-acts.ts";
import { nowOf } from "../../core/gate/dependencies.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { clearForLoading, dumpedRows, holdsData, Loader, SCHEMA } from "../../store/dump.ts";
import { type BackupHeader, readBackup, writeBackup } from "../backup-file.ts";
import { type Command, task } from "../command.ts";
import { own } from "../options.ts";

export const backupCommands: readonly Command[] = [
  task("backup create", {
    summary: "write everything in the store, as of one moment, to a file; from a running server too",
    note: "The encryption key is not in it, and without that key it is of no use: keep the key elsewhere.",
    own: { to: own("FILE", "a file that there is not yet", z.string().min(1)) },
    async run({ core, operator }, { to }) {
      const file = resolve(to);
      const header = { format: "receivables-backup-1", schema: SCHEMA, created_at: nowOf(core) } as const;
      const rows = await core.store.everyShard((tx) => writeBackup(file, header, dumpedRows(tx)), "whole");
      await recordBackup(core, operator);
      return { file, rows };
    },
  }),
  task("backup restore", {
    startsStore: true,
    summary: "put a backup into a new store, of either kind; with no server running",
    note: "What ended after the backup was made is good again: revoked API keys and assistant connections, removed or demoted members, withdrawn invitations, earlier passwords, second factors and sessions. End it again: api-key revoke, assistant revoke, member remove, member role.",
    own: { from: own("FILE", "what `backup create` wrote", z.string().min(1)) },
    async run({ core, leadRun, operator }, { from }) {
      if (leadRun === null)
        throw new ServiceError("conflict", "Stop the server first: a backup goes into a new store.");
      const file = resolve(from);
      // A damaged file never touches the store.
      await readBackup(file, assertSameSchema, async () => undefined);
      let madeAt = "";
      const begin = (header: BackupHeader): void => {
        madeAt = header.created_at;
      };
      const rows = await core.store.directory(async (tx) => {
        if (await holdsData(tx))
          throw new ServiceError("conflict", "There is data in the store: a backup goes into a new one.");
        await clearForLoading(tx);
        const loader = new Loader(tx);
        const count = await readBackup(file, begin, (row) => loader.add(row));
        await loader.flush();
        if ((await countUnreadable(tx, core.secrets)) > 0)
          throw new ServiceError(
            "validation_failed",
            "The backup belongs to another encryption key: give the service that one.",
          );
        return count;
      });
      await core.store.maintain();
      await recordRestore(core, operator, `of ${madeAt}`);
      return { file, rows };
    },
  }),
];

function assertSameSchema({ schema }: BackupHeader): void {
  if (schema !== SCHEMA)
    throw new ServiceError(
      "validation_failed",
      `The backup is of another version of the service (${schema}): restore it with that one, then upgrade.`,
    );
}
