import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { listErp, listErpStates } from "../../core/erp-connections/operator-connection.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { pushFailedPayments } from "../../core/payments/operations/push-failed-payments.ts";
import { confirmRetirement } from "../../core/sync-runs/operations/confirm-retirement.ts";
import { getSyncRun } from "../../core/sync-runs/operations/list-sync-runs.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { command, type WorkspaceContext } from "../command.ts";
import { type Typed, toggle } from "../options.ts";
import { checkedNote, disconnectedInWords, pushedInWords } from "./erp-results.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const POLL_MS = 250;

const CONNECTION: Typed = ["ID", "which connection, where the workspace has several (see erp list)", Uuid.optional()];
const PASSWORD: Typed = ["--password-stdin", "read that user's password from standard input"];
const INTERVAL = "--interval MINUTES";

/** Whether the ERP is asked first: `asked`, unless the operator says otherwise. */
const unchecked = (asked: "keep" | "refuse"): Typed => [
  "--unchecked",
  "keep it without asking the ERP, as while that cannot be reached",
  z
    .boolean()
    .default(false)
    .transform((isUnchecked) => (isUnchecked ? "no" : asked)),
];

export const erpCommands = [
  command("erp connect", connectErp, {
    options: {
      username: "--user NAME",
      password: PASSWORD,
      receiptMethod: "NAME",
      intervalMinutes: INTERVAL,
      check: unchecked("keep"),
    },
    note: checkedNote,
  }),
  command("erp reconnect", reconnectErp, {
    options: {
      connectionId: CONNECTION,
      url: ["URL", "its new address"],
      username: ["--user NAME", "the other user"],
      password: PASSWORD,
      check: unchecked("refuse"),
      confirmed: "--yes",
    },
    complete: onConnection,
    show: shownWithPlan,
    note: checkedNote,
  }),
  command("erp set", setErp, {
    options: {
      name: ["NAME", 'what people call it from now on; "" for its kind and address'],
      connectionId: CONNECTION,
      pullFrom: [
        "DATE|none",
        "oldest invoice date imported from now on",
        z.union([z.literal("none").transform(() => null), z.string()]).optional(),
      ],
      receiptMethod: "NAME",
      intervalMinutes: INTERVAL,
      paymentPushMode: "--push-mode automatic|held",
    },
    complete: onConnection,
  }),
  command("erp disconnect", disconnectErp, {
    options: { connectionId: CONNECTION },
    complete: onConnection,
    show: disconnectedInWords,
  }),
  command("erp sync", startErpSync, {
    summary: "start a pull",
    options: { connection_id: CONNECTION },
    own: {
      wait: toggle("wait for its end and tell how it went"),
      retireMissing: toggle("confirm that the invoices are gone which the last pull missed and did not retire"),
    },
    async run(at, { connection_id: given }, { wait, retireMissing }) {
      const { connectionId } = await onConnection(at, { connectionId: given });
      if (retireMissing) await confirmMissing(at, connectionId);
      const syncRunId = await startOrJoin(at, connectionId);
      await at.leadRun?.({ tenantId: at.tenantId, syncRunId, wait });
      return wait ? endOf(at, syncRunId) : { sync_run_id: syncRunId, status: "running" as const };
    },
    failure: (run) => ("error" in run && run.error !== null ? `The sync run failed: ${run.error.message}` : null),
  }),
  command("erp push", pushFailedPayments, {
    options: { connectionId: CONNECTION },
    complete: onConnection,
    show: pushedInWords,
  }),
  command("erp list", listErp),
];

/** Starts a run, or finds the first of a new connection, which the service starts by itself. Throws what a start throws. */
async function startOrJoin({ operate }: WorkspaceContext, connectionId: string): Promise<string> {
  try {
    return (await operate(startErpSync, { connection_id: connectionId })).sync_run_id;
  } catch (error) {
    const states = await operate(listErpStates, {});
    const { connection, latestRun } = states.find((state) => state.connection.id === connectionId) ?? {};
    if (connection?.last_sync_at === null && latestRun?.status === "running") return latestRun.sync_run_id;
    throw error;
  }
}

/** A run once it has ended. Throws the signal's reason. */
async function endOf({ operate, signal }: WorkspaceContext, id: string): Promise<z.output<typeof getSyncRun.output>> {
  for (;;) {
    const run = await operate(getSyncRun, { sync_run_id: id });
    if (run.status !== "running") return run;
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Confirms what the connection's last complete pull missed. Throws `conflict` where nothing waits for that. */
async function confirmMissing({ operate }: WorkspaceContext, connectionId: string): Promise<void> {
  const states = await operate(listErpStates, {});
  const held = states.find(({ connection: { id } }) => id === connectionId)?.held ?? null;
  if (held === null)
    throw new ServiceError("conflict", "No pull of this connection holds invoices back: there is nothing to confirm.");
  await operate(confirmRetirement, { connection_id: connectionId, sync_run_id: held.sync_run_id });
}

/** The input with the connection it names, or the only one there is. Throws `not_found`, `validation_failed`. */
async function onConnection<T extends { connectionId?: string | undefined }>(
  { operate }: WorkspaceContext,
  given: T,
): Promise<T & { connectionId: string }> {
  const { connectionId } = given;
  const found = (await operate(listErp, {})).filter(({ id }) => connectionId === undefined || id === connectionId);
  const [only, ...more] = found;
  if (only === undefined && connectionId === undefined) throw notFound("ERP connection", "yet: erp connect makes one");
  if (only === undefined) throw notFound("ERP connection", `with the id ${connectionId}: erp list shows all`);
  if (more.length > 0)
    throw new ServiceError("validation_failed", "The workspace has several ERP connections.", {
      details: [{ field: "connectionId", message: "says which (see erp list)" }],
    });
  return { ...given, connectionId: only.id };
}
