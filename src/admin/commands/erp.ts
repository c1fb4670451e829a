import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { listErp, listErpStates } from "../../core/erp-connections/operator-connection.ts";
import { remainsInWords } from "../../core/erp-connections/remains-words.ts";
import { counted } from "../../core/kernel/counted.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { pushFailedPayments } from "../../core/payments/operations/push-failed-payments.ts";
import { confirmRetirement } from "../../core/sync-runs/operations/confirm-retirement.ts";
import { getSyncRun } from "../../core/sync-runs/operations/list-sync-runs.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { command, connectionOf, type WorkspaceContext } from "../command.ts";
import { switchFrom, type Typed, toggle } from "../fields.ts";
import { inLines } from "../render.ts";
import { withPlan } from "./workflow-plan.ts";

const POLL_MS = 250;

const CONNECTION: Typed = ["ID", "which connection, where the workspace has several (see erp list)", Uuid.optional()];

/** Whether the ERP is asked first: `asked`, unless the operator says otherwise. */
const unchecked = (asked: "keep" | "refuse"): Typed => [
  "--unchecked",
  "keep it without asking the ERP, as while that cannot be reached",
  switchFrom(asked, "no"),
];

export const erpCommands = [
  command("erp connect", connectErp, {
    options: { check: unchecked("keep") },
    note: checkedNote,
  }),
  command("erp reconnect", reconnectErp, {
    options: {
      connectionId: CONNECTION,
      url: ["URL", "its new address"],
      username: ["--user NAME", "the other user"],
      check: unchecked("refuse"),
      confirmed: "--yes",
    },
    show: withPlan,
    note: checkedNote,
  }),
  command("erp set", setErp, {
    options: {
      connectionId: CONNECTION,
      name: ["NAME", 'what people call it from now on; "" for its kind and address'],
      pullFrom: [
        "DATE|none",
        "oldest invoice date imported from now on",
        z.string().transform((text) => (text === "none" ? null : text)),
      ],
    },
  }),
  command("erp disconnect", disconnectErp, {
    options: { connectionId: CONNECTION },
    show: ({ remains, ...connection }) => [
      connection,
      inLines(
        "Disconnected: nothing is pulled, and the password is forgotten.",
        ...remainsInWords(remains),
        remains.messages > 0 && "To stop all messages that are scheduled: workflow disable --type auto_generate.",
        remains.receipts_held + remains.receipts_for_a_person > 0 && "To see the receipts: payment list.",
        "To connect it again: erp reconnect.",
      ),
    ],
  }),
  command("erp sync", startErpSync, {
    summary: "start a pull",
    options: { connection_id: CONNECTION },
    own: {
      wait: toggle("wait for its end and tell how it went"),
      retireMissing: toggle("confirm that the invoices are gone which the last pull missed and did not retire"),
    },
    async run(at, { connection_id: asked, wait, retireMissing }) {
      const id = await connectionOf(at, asked);
      if (retireMissing) await confirmMissing(at, id);
      const syncRunId = await startOrJoin(at, id);
      await at.leadRun?.({ tenantId: at.tenantId, syncRunId, wait });
      return wait ? endOf(at, syncRunId) : { sync_run_id: syncRunId, status: "running" as const };
    },
    failure: (run) => ("error" in run && run.error !== null ? `The sync run failed: ${run.error.message}` : null),
  }),
  command("erp push", pushFailedPayments, {
    options: { connectionId: CONNECTION },
    show: (pushed) => [pushedInWords(pushed)],
  }),
  command("erp list", listErp),
];

/** The note after a connection was made or reconnected. */
function checkedNote({ checked, problem }: { checked: boolean; problem?: string | null }) {
  if (problem != null)
    return `${problem}\nThe connection is kept. Mend that at the ERP, or give what is right: erp reconnect.`;
  return checked
    ? "The ERP let this user in and answered for its invoices. A running service pulls them now, unless it has to be asked: erp sync --wait tells how that went."
    : "The ERP was not asked: the first pull tells whether address, user and password are right.";
}

const stateOf = async ({ operate }: WorkspaceContext, id: string) =>
  (await operate(listErpStates, {})).find(({ connection }) => connection.id === id);

/** Starts a run, or finds the first of a new connection, which the service starts by itself. Throws what a start throws. */
async function startOrJoin(at: WorkspaceContext, id: string) {
  try {
    return (await at.operate(startErpSync, { connection_id: id })).sync_run_id;
  } catch (error) {
    const { connection, latestRun } = (await stateOf(at, id)) ?? {};
    if (connection?.last_sync_at === null && latestRun?.status === "running") return latestRun.sync_run_id;
    throw error;
  }
}

/** A run once it has ended. Throws the signal's reason. */
async function endOf({ operate, signal }: WorkspaceContext, id: string) {
  for (;;) {
    const run = await operate(getSyncRun, { sync_run_id: id });
    if (run.status !== "running") return run;
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Confirms what the connection's last complete pull missed. Throws `conflict` where nothing waits for that. */
async function confirmMissing(at: WorkspaceContext, id: string) {
  const held = (await stateOf(at, id))?.held;
  if (!held)
    throw new ServiceError("conflict", "No pull of this connection holds invoices back: there is nothing to confirm.");
  await at.operate(confirmRetirement, { connection_id: id, sync_run_id: held.sync_run_id });
}

/** How many of a connection's receipts were queued, and which still wait for a person. */
function pushedInWords({
  receipts_queued: queued,
  receipts_held: held,
  receipts_reversed: reversed,
  connection_status: status,
}: z.output<typeof pushFailedPayments.output>) {
  return inLines(
    queued === 0
      ? "Nothing to push again: no receipt has failed, and none waits to be applied."
      : `${counted(queued, "receipt is", "receipts are")} queued again: payment list says how it went.`,
    queued > 0 &&
      status === "disconnected" &&
      "The connection is disconnected: they wait until it is connected again (erp reconnect).",
    held > 0 &&
      `${counted(held, "receipt is", "receipts are")} held and not pushed by this: a person releases each with payment retry (payment list --status held names them). The connection goes on holding new ones until erp set --push-mode automatic.`,
    reversed > 0 &&
      `${counted(reversed, "receipt was", "receipts were")} reversed in the ERP and not pushed again: payment retry or payment settle-by-hand decides each.`,
  );
}
