import { z } from "zod";
import { ErpConnectionInput } from "../../core/erp-connections/connection-input.ts";
import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { startErpSync } from "../../core/erp-connections/operations/start-erp-sync.ts";
import { listErp } from "../../core/erp-connections/operator-connection.ts";
import type { Core } from "../../core/gate/dependencies.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { operate } from "../../core/gate/operator.ts";
import { pushFailedPayments } from "../../core/payments/operations/push-failed-payments.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { endOfRun } from "../../core/sync-runs/end-of-run.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { choiceOf, OnOff, SecretLine, WholeNumber, WorkspaceOption, YesToPlan } from "../inputs.ts";
import { checkedNote, disconnectedInWords, pushedInWords } from "./erp-results.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const I = ErpConnectionInput;

const ConnectionOption = Uuid.optional().register(flags, {
  value: "ID",
  description: "which connection, where the workspace has several (see erp list)",
});
const Url = I.url.register(flags, { value: "URL", description: "address of the ERP" });
const User = I.username.register(flags, { value: "NAME", description: "user of the ERP that the service signs in as" });
const Password = SecretLine.pipe(I.password).register(flags, {
  value: null,
  stdin: true,
  description: "read that user's password from standard input",
});
const PullFrom = I.pullFrom.optional().register(flags, {
  value: "DATE",
  description: "oldest invoice date imported, YYYY-MM-DD",
});
const ApplyMode = choiceOf("rest_action", "automatch").optional().register(flags, {
  value: "rest_action|automatch",
  description: "how receipts are applied in the ERP",
});
const ReceiptMethod = I.receiptMethod.optional().register(flags, {
  value: "NAME",
  description: "way of payment that receipts name, as the ERP's users have set it up",
});
const ContactName = OnOff.optional().register(flags, {
  value: "on|off",
  description: "whether names of contacts are taken over",
});
const Sync = OnOff.optional().register(flags, {
  value: "on|off",
  description: "off refuses every pull, manual ones too",
});
const AutoSync = OnOff.optional().register(flags, { value: "on|off", description: "whether pulls run by themselves" });
const Interval = WholeNumber.pipe(I.intervalMinutes).optional().register(flags, {
  value: "MINUTES",
  description: "least time between two automatic pulls, 10 to 1440",
});

const Unchecked = z.boolean().default(false).register(flags, {
  value: null,
  description: "keep it without asking the ERP, as while that cannot be reached",
});

const SyncResult = z.looseObject({ status: z.string(), error: z.object({ message: z.string() }).nullish() });

export const erpCommands: readonly Command[] = [
  command({
    noun: "erp",
    verb: "connect",
    summary: "connect a workspace to an ERP, and tell what that says",
    input: z.strictObject({
      workspace: WorkspaceOption,
      provider: choiceOf("oracle_fusion").register(flags, { value: "oracle_fusion", description: "kind of ERP" }),
      url: Url,
      user: User,
      password: Password,
      pull_from: PullFrom,
      apply_mode: ApplyMode,
      receipt_method: ReceiptMethod,
      contact_name: ContactName,
      sync: Sync,
      auto_sync: AutoSync,
      interval: Interval,
      unchecked: Unchecked,
    }),
    async run({ core, signal }, { workspace, provider, url, user, password, sync, unchecked, ...settings }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      const check = unchecked ? "no" : "keep";
      const given = { provider, url, username: user, password, sync, check, ...changes(settings) } as const;
      return { ...(await operate(core, tenantId, connectErp, given, { signal })), checked: !unchecked };
    },
    note: checkedNote,
  }),
  command({
    noun: "erp",
    verb: "reconnect",
    summary: "give a connection a new password, and maybe another address or user",
    input: z.strictObject({
      workspace: WorkspaceOption,
      connection: ConnectionOption,
      url: Url.optional().register(flags, { value: "URL", description: "its new address" }),
      user: User.optional().register(flags, { value: "NAME", description: "the other user" }),
      password: Password,
      unchecked: Unchecked,
      yes: YesToPlan,
    }),
    async run({ core, signal, confirmed }, { workspace, connection, user: username, unchecked, yes, ...credential }) {
      const { tenantId, connectionId } = await findConnection(core, workspace, connection);
      const check = unchecked ? "no" : "refuse";
      const given = { connectionId, username, ...credential, check, confirmed: yes ?? confirmed } as const;
      return { ...(await operate(core, tenantId, reconnectErp, given, { signal })), checked: !unchecked };
    },
    show: shownWithPlan,
    note: checkedNote,
  }),
  command({
    noun: "erp",
    verb: "set",
    summary: "change how a connection is used",
    input: z.strictObject({
      workspace: WorkspaceOption,
      connection: ConnectionOption,
      pull_from: z
        .union([z.literal("none").transform(() => null), I.pullFrom])
        .optional()
        .register(flags, { value: "DATE|none", description: "oldest invoice date imported from now on" }),
      apply_mode: ApplyMode,
      receipt_method: ReceiptMethod,
      sync: Sync,
      auto_sync: AutoSync,
      interval: Interval,
      contact_name: ContactName,
      push_mode: choiceOf("automatic", "held").optional().register(flags, {
        value: "automatic|held",
        description: "whether receipts are pushed at once or wait for a person",
      }),
    }),
    async run({ core }, { workspace, connection, sync, push_mode: paymentPushMode, ...settings }) {
      const { tenantId, connectionId } = await findConnection(core, workspace, connection);
      return operate(core, tenantId, setErp, { connectionId, sync, paymentPushMode, ...changes(settings) });
    },
  }),
  command({
    noun: "erp",
    verb: "disconnect",
    summary: "switch a connection off and forget its password; what it brought in stays",
    input: z.strictObject({ workspace: WorkspaceOption, connection: ConnectionOption }),
    async run({ core }, { workspace, connection }) {
      const { tenantId, connectionId } = await findConnection(core, workspace, connection);
      return operate(core, tenantId, disconnectErp, { connectionId });
    },
    show: disconnectedInWords,
  }),
  command({
    noun: "erp",
    verb: "sync",
    summary: "start a pull",
    input: z.strictObject({
      workspace: WorkspaceOption,
      connection: ConnectionOption,
      wait: z
        .boolean()
        .optional()
        .register(flags, { value: null, description: "wait for its end and tell how it went" }),
    }),
    async run({ core, signal, leadRun }, { workspace, connection, wait = false }) {
      const { tenantId, connectionId } = await findConnection(core, workspace, connection);
      const { sync_run_id: syncRunId } = await operate(core, tenantId, startErpSync, { connection_id: connectionId });
      if (leadRun !== null) await leadRun({ tenantId, syncRunId, wait });
      return wait ? endOfRun(core, tenantId, syncRunId, { signal }) : { sync_run_id: syncRunId, status: "running" };
    },
    failure(result) {
      const run = SyncResult.parse(result);
      return run.status === "failed" ? `The sync run failed: ${run.error?.message}` : null;
    },
  }),
  command({
    noun: "erp",
    verb: "push",
    summary: "queue the receipts again that failed or were not applied, once the cause is mended",
    input: z.strictObject({ workspace: WorkspaceOption, connection: ConnectionOption }),
    async run({ core }, { workspace, connection }) {
      const { tenantId, connectionId } = await findConnection(core, workspace, connection);
      return operate(core, tenantId, pushFailedPayments, { connectionId });
    },
    show: pushedInWords,
  }),
  command({
    noun: "erp",
    verb: "list",
    summary: "the ERP connections of a workspace",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listErp(core, (await findWorkspace(core, workspace)).id);
    },
  }),
];

interface Settings {
  pull_from?: string | null | undefined;
  apply_mode?: "rest_action" | "automatch" | undefined;
  receipt_method?: string | undefined;
  contact_name?: boolean | undefined;
  auto_sync?: boolean | undefined;
  interval?: number | undefined;
}

function changes({ pull_from, apply_mode, receipt_method, contact_name, auto_sync, interval }: Settings) {
  return {
    pullFrom: pull_from,
    applyMode: apply_mode,
    receiptMethod: receipt_method,
    contactName: contact_name,
    autoSync: auto_sync,
    intervalMinutes: interval,
  };
}

/** The connection of that id, or the only one there is. Throws `not_found`, `validation_failed`. */
async function findConnection(
  core: Core,
  workspace: string,
  connectionId: string | undefined,
): Promise<{ tenantId: string; connectionId: string }> {
  const { id: tenantId } = await findWorkspace(core, workspace);
  const connections = await listErp(core, tenantId);
  const found = connections.filter(({ id }) => connectionId === undefined || id === connectionId);
  const [only, ...more] = found;
  if (only === undefined && connectionId === undefined) throw notFound("ERP connection", "yet: erp connect makes one");
  if (only === undefined) throw notFound("ERP connection", `with the id ${connectionId}: erp list shows all`);
  if (more.length > 0)
    throw new ServiceError("validation_failed", "The workspace has several ERP connections.", {
      details: [{ field: "connection", message: "says which (see erp list)" }],
    });
  return { tenantId, connectionId: only.id };
}
