import { z } from "zod";
import { createBackup, restoreBackup } from "../../core/backups/backups.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { type Command, task } from "../command.ts";
import { own } from "../options.ts";

const File = z.string().min(1);

export const backupCommands: readonly Command[] = [
  task("backup create", {
    summary: "write everything in the store, as of one moment, to a file; from a running server too",
    note: "The encryption key is not in it, and without that key it is of no use: keep the key elsewhere.",
    own: { to: own("FILE", "a file that there is not yet", File) },
    run: (context, { to }) => createBackup(context, to),
  }),
  task("backup restore", {
    startsStore: true,
    summary: "put a backup into a new store, of either kind; with no server running",
    note: "What ended after the backup was made is good again: revoked API keys and assistant connections, removed or demoted members, withdrawn invitations, earlier passwords, second factors and sessions. End it again: api-key revoke, assistant revoke, member remove, member role.",
    own: { from: own("FILE", "what `backup create` wrote", File) },
    async run(context, { from }) {
      if (context.leadRun !== null) return restoreBackup(context, from);
      throw new ServiceError("conflict", "Stop the server first: a backup goes into a new store.");
    },
  }),
];
