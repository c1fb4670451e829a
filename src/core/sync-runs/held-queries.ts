import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { SyncRunRow, WouldRetire } from "../../store/tables/erp.ts";
import type { RunKey } from "./reserve-queries.ts";

/** Connections, not disconnected, whose last complete pull waits for a person to say that its missing invoices are gone. */
export function heldRetirements(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("sync_runs as run")
    .innerJoin("erp_connections as connection", (join) =>
      join.onRef("connection.connection_id", "=", "run.connection_id").on("connection.tenant_id", "=", tenantId),
    )
    .select(["run.sync_run_id", "run.connection_id"])
    .select(["connection.provider", "connection.base_url", "connection.username"])
    .select(sql<WouldRetire>`run.would_retire`.as("would_retire"))
    .where("run.tenant_id", "=", tenantId)
    .where("run.retirement", "=", "held")
    .where("connection.status", "<>", "disconnected")
    .orderBy("run.finished_at")
    .execute();
}

export type HeldRetirement = Awaited<ReturnType<typeof heldRetirements>>[number];

/** Notes that a person confirmed what a held run found missing; undefined where it is not held, or not any more. */
export function confirmHeld(tx: Transaction, run: RunKey & Pick<SyncRunRow, "connection_id">) {
  const { tenant_id, sync_run_id, connection_id } = run;
  return tx
    .updateTable("sync_runs")
    .set({ retirement: "confirmed" })
    .where((column) => column.and({ tenant_id, sync_run_id, connection_id, retirement: "held" }))
    .returning(sql<WouldRetire>`would_retire`.as("would_retire"))
    .executeTakeFirst();
}

/** Ends what earlier runs of the connection hold, and with `all` what was confirmed too: a later pull has told how it is now. */
export async function settleHeld(
  tx: Transaction,
  { tenant_id, connection_id }: Pick<SyncRunRow, "tenant_id" | "connection_id">,
  { all }: { all: boolean },
): Promise<void> {
  await tx
    .updateTable("sync_runs")
    .set({ retirement: null })
    .where((column) => column.and({ tenant_id, connection_id }))
    .where("retirement", all ? "is not" : "=", all ? null : "held")
    .execute();
}
