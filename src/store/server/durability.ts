import { sql } from "kysely";
import type { Transaction } from "../tables/index.ts";

const LOSES = "loses the last writes that callers were told of (docs/scale.md)";

/** How the settings of a server lose acknowledged writes in a crash or a failover, a line each. */
export async function durabilityWarnings(tx: Transaction): Promise<string[]> {
  // Which standby is synchronous is shown to few users; how many there are, and whether one is waited for, to all.
  const { rows } = await sql<{ commit: string; names: string; standbys: number }>`
    select current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as names,
      (select count(*)::integer from pg_stat_replication) as standbys`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error("a select has a row");
  const { commit, names, standbys } = found;
  const warnings: string[] = [];
  if (commit === "off") warnings.push(`the database has synchronous_commit off: a crash ${LOSES}`);
  if (commit === "local") warnings.push(`the database has synchronous_commit local: a failover ${LOSES}`);
  if (standbys > 0 && names === "")
    warnings.push(`the database has standbys (${standbys}), and none is synchronous: a failover ${LOSES}`);
  return warnings;
}
