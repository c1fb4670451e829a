import { z } from "zod";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import { reachOfAddress } from "../../erp-access/address.ts";
import { assertNothingUnseen } from "../../erp-access/assert-seen.ts";
import { checkErpAccess, NOT_ASKED } from "../../erp-access/check-access.ts";
import { insertConnection } from "../../erp-access/connection-queries.ts";
import { encryptPassword } from "../../erp-access/credential.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { assertNotTwice } from "../assert-not-twice.ts";
import { Connect } from "../connection-input.ts";
import { asOperatorConnection, OperatorConnection } from "../operator-connection.ts";

/** Published when a connection was made, so that its first pull is not only found due by the next check. */
export const ERP_CONNECTED = "erp_connected";

/**
 * Connects a workspace to an ERP, which is asked first where `check` says so; else the first pull tells whether the
 * credential works. An operator alone may name any address. Throws `validation_failed`, of the ERP's answer and of an ERP that is
 * or was connected already, and `conflict` while a workflow is on.
 */
export const connectErp = operation({
  id: "connectErp",
  summary: "Connect a workspace to an ERP, and tell what that says",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "Invoices are pulled at once, and by the schedule, unless that is off.",
  input: Connect,
  output: OperatorConnection.extend({
    problem: z.string().nullable().describe("What the ERP was seen to refuse, where it is kept all the same"),
    checked: z.boolean(),
  }),
  once: ({ password: _, ...input }) => input,
  async prepare({ actor, core, signal }, { check, ...given }) {
    const reach = reachOfAddress(core, given.url, actor);
    const settings = { ...given, baseUrl: given.url, reach };
    const seen =
      check === "no" ? NOT_ASKED : await checkErpAccess(actor.tenantId, given.provider, settings, { check, signal });
    return { reach, seen };
  },
  async run({ tx, actor, core, now, audit, afterCommit }, given, { reach, seen }) {
    const { tenantId } = actor;
    const connectionId = core.newId();
    const row: ErpConnectionRow = {
      tenant_id: tenantId,
      connection_id: connectionId,
      name: given.name,
      provider: given.provider,
      status: seen.status,
      base_url: given.url,
      address_reach: reach,
      username: given.username,
      credential: encryptPassword(core, connectionId, given.password),
      sync_enabled: given.sync,
      auto_sync_enabled: given.autoSync,
      auto_sync_interval_minutes: given.intervalMinutes,
      pull_invoice_date_from: given.pullFrom,
      pull_contact_name: given.contactName,
      payment_push_mode: "automatic",
      apply_mode: given.applyMode,
      receipt_method: given.receiptMethod,
      last_sync_at: null,
      last_successful_sync_at: null,
      unreachable_runs: 0,
      status_since: null,
      created_at: now,
    };
    await assertNotTwice(tx, row, { ...given, isNew: true });
    await insertConnection(tx, row);
    await assertNothingUnseen(tx, tenantId);
    if (row.auto_sync_enabled) afterCommit(() => core.store.publish({ topic: ERP_CONNECTED, payload: connectionId }));
    audit({ type: "erp_connection", id: connectionId });
    const { problem } = seen;
    return {
      ...asOperatorConnection(row),
      checked: given.check !== "no",
      problem: problem === null ? null : `${NAMES[problem.field] ?? problem.field} ${problem.message}.`,
    };
  },
});

const NAMES: Readonly<Record<string, string>> = { url: "The address", password: "The password" };
