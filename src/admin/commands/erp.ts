import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ErpConnectionInput } from "../../core/erp-connections/connection-input.ts";
import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { listErp, listErpStates } from "../../core/erp-connections/operator-connection.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { pushFailedPayments } from "../../core/payments/operations/push-failed-payments.ts";
import { confirmRetirement } from "../../core/sync-runs/operations/confirm-retirement.ts";
import { getSyncRun } from "../../core/sync-runs/operations/get-sync-run.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { type Command, option, secret, toggle, type WorkspaceContext, workspaceCommand } from "../command.ts";
import { choiceOf, OnOff, SecretLine, WholeNumber, YesToPlan } from "../inputs.ts";
import { checkedNote, disconnectedInWords, pushedInWords } from "./erp-results.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const ConnectionOption = option(
  Uuid.optional(),
  "ID",
  "which connection, where the workspace has several (see erp list)",
);
const Url = option(ErpConnectionInput.url, "URL", "address of the ERP");
const User = option(ErpConnectionInput.username, "NAME", "user of the ERP that the service signs in as");
const Password = secret(SecretLine.pipe(ErpConnectionInput.password), "read that user's password from standard input");
const PullFrom = option(ErpConnectionInput.pullFrom.optional(), "DATE", "oldest invoice date imported, YYYY-MM-DD");
const ApplyMode = option(
  choiceOf("rest_action", "automatch").optional(),
  "rest_action|automatch",
  "how receipts are applied in the ERP",
);
const ReceiptMethod = option(
  ErpConnectionInput.receiptMethod.optional(),
  "NAME",
  "way of payment that receipts name, as the ERP's users have set it up",
);
const ContactName = option(OnOff.optional(), "on|off", "whether names of contacts are taken over");
const Sync = option(OnOff.optional(), "on|off", "off refuses every pull, manual ones too");
const AutoSync = option(OnOff.optional(), "on|off", "whether pulls run by themselves");
const Interval = option(
  WholeNumber.pipe(ErpConnectionInput.intervalMinutes).optional(),
  "MINUTES",
  "least time between two automatic pulls, 10 to 1440",
);

const SameErp = toggle("connect an ERP that is or was connected already, as a user who sees other invoices");
const Unchecked = toggle("keep it without asking the ERP, as while that cannot be reached");

const POLL_MS = 250;

const SyncResult = z.looseObject({ status: z.string(), error: z.object({ message: z.string() }).nullish() });

export const erpCommands: readonly Command[] = [
  workspaceCommand("erp connect", {
    summary: "connect a workspace to an ERP, and tell what that says",
    input: z.strictObject({
      provider: option(choiceOf("oracle_fusion"), "oracle_fusion", "kind of ERP"),
      url: Url,
      user: User,
      password: Password,
      pullFrom: PullFrom,
      applyMode: ApplyMode,
      receiptMethod: ReceiptMethod,
      contactName: ContactName,
      sync: Sync,
      autoSync: AutoSync,
      interval: Interval,
      sameErp: SameErp,
      unchecked: Unchecked,
    }),
    async run({ operate, signal }, { user: username, interval: intervalMinutes, unchecked, ...settings }) {
      const given = { ...settings, username, intervalMinutes, check: unchecked ? "no" : "keep" } as const;
      return { ...(await operate(connectErp, given, { signal })), checked: !unchecked };
    },
    note: checkedNote,
  }),
  workspaceCommand("erp reconnect", {
    summary: "give a connection a new password, and maybe another address or user",
    input: z.strictObject({
      connection: ConnectionOption,
      url: option(Url.optional(), "URL", "its new address"),
      user: option(User.optional(), "NAME", "the other user"),
      password: Password,
      sameErp: SameErp,
      sameInvoices: toggle("move what was paid and linked to a new address that has the same invoices"),
      unchecked: Unchecked,
      yes: YesToPlan,
    }),
    async run({ signal, confirmed, operate }, { connection, user: username, unchecked, yes, ...credential }) {
      const connectionId = await findConnection({ operate }, connection);
      const check = unchecked ? "no" : "refuse";
      const given = { connectionId, username, ...credential, check, confirmed: yes ?? confirmed } as const;
      return { ...(await operate(reconnectErp, given, { signal })), checked: !unchecked };
    },
    show: shownWithPlan,
    note: checkedNote,
  }),
  workspaceCommand("erp set", {
    summary: "change how a connection is used",
    input: z.strictObject({
      connection: ConnectionOption,
      pullFrom: option(
        z.union([z.literal("none").transform(() => null), ErpConnectionInput.pullFrom]).optional(),
        "DATE|none",
        "oldest invoice date imported from now on",
      ),
      applyMode: ApplyMode,
      receiptMethod: ReceiptMethod,
      sync: Sync,
      autoSync: AutoSync,
      interval: Interval,
      contactName: ContactName,
      pushMode: option(
        choiceOf("automatic", "held").optional(),
        "automatic|held",
        "whether receipts are pushed at once or wait for a person",
      ),
    }),
    async run(context, { connection, interval: intervalMinutes, pushMode: paymentPushMode, ...settings }) {
      const connectionId = await findConnection(context, connection);
      return context.operate(setErp, { ...settings, connectionId, intervalMinutes, paymentPushMode });
    },
  }),
  workspaceCommand("erp disconnect", {
    summary: "switch a connection off and forget its password; what it brought in stays",
    input: z.strictObject({ connection: ConnectionOption }),
    async run(context, { connection }) {
      const connectionId = await findConnection(context, connection);
      return context.operate(disconnectErp, { connectionId });
    },
    show: disconnectedInWords,
  }),
  workspaceCommand("erp sync", {
    summary: "start a pull",
    input: z.strictObject({
      connection: ConnectionOption,
      wait: toggle("wait for its end and tell how it went"),
      retireMissing: toggle("confirm that the invoices are gone which the last pull missed and did not retire"),
    }),
    async run(context, { connection, wait = false, retireMissing = false }) {
      const { tenantId, leadRun } = context;
      const connectionId = await findConnection(context, connection);
      if (retireMissing) await confirmMissing(context, connectionId);
      const syncRunId = await startOrJoin(context, connectionId);
      if (leadRun !== null) await leadRun({ tenantId, syncRunId, wait });
      return wait ? endOf(context, syncRunId) : { sync_run_id: syncRunId, status: "running" };
    },
    failure(result) {
      const run = SyncResult.parse(result);
      return run.status === "failed" ? `The sync run failed: ${run.error?.message}` : null;
    },
  }),
  workspaceCommand("erp push", {
    summary: "queue the receipts again that failed or were not applied, once the cause is mended",
    input: z.strictObject({ connection: ConnectionOption }),
    async run(context, { connection }) {
      const connectionId = await findConnection(context, connection);
      return context.operate(pushFailedPayments, { connectionId });
    },
    show: pushedInWords,
  }),
  workspaceCommand("erp list", {
    summary: "the ERP connections of a workspace",
    run: ({ operate }) => operate(listErp, {}),
  }),
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
async function endOf(
  { operate, signal }: WorkspaceContext,
  syncRunId: string,
): Promise<z.output<typeof getSyncRun.output>> {
  for (;;) {
    const run = await operate(getSyncRun, { sync_run_id: syncRunId });
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

/** The connection of that id, or the only one there is. Throws `not_found`, `validation_failed`. */
async function findConnection(
  { operate }: Pick<WorkspaceContext, "operate">,
  connectionId: string | undefined,
): Promise<string> {
  const connections = await operate(listErp, {});
  const found = connections.filter(({ id }) => connectionId === undefined || id === connectionId);
  const [only, ...more] = found;
  if (only === undefined && connectionId === undefined) throw notFound("ERP connection", "yet: erp connect makes one");
  if (only === undefined) throw notFound("ERP connection", `with the id ${connectionId}: erp list shows all`);
  if (more.length > 0)
    throw new ServiceError("validation_failed", "The workspace has several ERP connections.", {
      details: [{ field: "connection", message: "says which (see erp list)" }],
    });
  return only.id;
}
