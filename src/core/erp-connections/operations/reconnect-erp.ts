import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { queueOpenInvoices } from "../../collection/to-examine-queries.ts";
import { isSameErp, reachOfAddress } from "../../erp-access/address.ts";
import { assertNothingUnseen } from "../../erp-access/assert-seen.ts";
import { checkErpAccess } from "../../erp-access/check-access.ts";
import { encryptPassword } from "../../erp-access/credential.ts";
import { type Core, operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { counted } from "../../kernel/counted.ts";
import { orNotFound } from "../../kernel/error.ts";
import { toConfirm } from "../../kernel/validation.ts";
import { RECEIPTS_QUEUED } from "../../payments/receipts/claimed-push.ts";
import { interruptRunOf } from "../../sync-runs/finish-run.ts";
import { planOfEnabled } from "../../workflows/plan-enabling.ts";
import { assertConfirmed, Confirmed, EnablingPlan } from "../../workflows/plan-schema.ts";
import { rescheduleEmails } from "../../workflows/reschedule-emails.ts";
import { workflowsOf } from "../../workflows/settings-queries.ts";
import { assertNotTwice } from "../assert-not-twice.ts";
import { Reconnect } from "../connection-input.ts";
import { changeConnection, listErp, OperatorConnection } from "../operator-connection.ts";
import { paidOrPayable } from "../remains-queries.ts";

/**
 * Gives a connection a new credential, and maybe address; the ERP is asked first where `check` says so. An operator alone may
 * name any address, and at another one nothing was synced yet, so that workflows that are on prevent it, and `sameInvoices` confirms
 * that payments and links go with it. Workflows go on with the
 * invoices of one that was disconnected: `plan` says what they do, and much at once has to be confirmed (§7). Throws `not_found`,
 * ConfirmationNeeded, `conflict`, `validation_failed`.
 */
export const reconnectErp = operation({
  id: "reconnectErp",
  summary: "Give a connection a new password, and maybe another address or user",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "A run that uses the old credential ends; receipts and workflows that waited go on.",
  input: Reconnect.extend({ confirmed: Confirmed }),
  output: OperatorConnection.extend({ checked: z.boolean(), plan: EnablingPlan.optional() }),
  async prepare({ actor, core, signal }, { connectionId, url, username, password, check }) {
    if (check === "no") return;
    const request = { core, requestId: core.newId() };
    const known = orNotFound(
      (await listErp.call(actor, { connection: connectionId }, request)).find(({ id }) => id === connectionId),
      "ERP connection",
    );
    const baseUrl = url ?? known.url;
    const isKnown = baseUrl === known.url && actor.kind === "person";
    const reach = isKnown ? known.address_reach : reachOfAddress(core, baseUrl, actor);
    const settings = { baseUrl, username: username ?? known.username, password, reach };
    await checkErpAccess(actor.tenantId, known.provider, settings, { check, signal });
  },
  async run(context, { connectionId, url, username, password, check, confirmed, sameErp, sameInvoices }) {
    const { tx, actor, core, afterCommit } = context;
    const { tenantId } = actor;
    afterCommit(() => core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId }));
    let [wasDisconnected, isMoved] = [false, false];
    const changed = await changeConnection(context, connectionId, async (connection) => {
      wasDisconnected = connection.status === "disconnected";
      isMoved = url !== undefined && !isSameErp(url, connection.base_url);
      const isNamed = url !== undefined && (url !== connection.base_url || actor.kind === "operator");
      const address = isNamed ? { base_url: url, address_reach: reachOfAddress(core, url, actor) } : {};
      await interruptRunOf(tx, core, { tenantId, connectionId }, "reconnected");
      if (wasDisconnected || isMoved)
        await assertNotTwice(tx, { ...connection, ...address }, { sameErp, isNew: isMoved });
      if (isMoved && !sameInvoices) await assertSameInvoices(tx, connection);
      return {
        status: "connected",
        unreachable_runs: 0,
        credential: encryptPassword(core, connectionId, password),
        ...address,
        ...(isMoved ? { last_sync_at: null, last_successful_sync_at: null } : {}),
        ...(username === undefined ? {} : { username }),
      };
    });
    if (wasDisconnected || isMoved) await assertNothingUnseen(tx, tenantId);
    const connected = { ...changed, checked: check !== "no" };
    if (!wasDisconnected) return connected;
    await lockChargeableCurrencies(tx, tenantId);
    const plan = await planOfEnabled(tx, core, tenantId);
    if (plan !== null) assertConfirmed(plan, confirmed);
    await resumeWorkflows(tx, core, { tenant_id: tenantId, connection_id: connectionId });
    return { ...connected, ...(plan === null ? {} : { plan }) };
  },
});

type Connection = Pick<ErpConnectionRow, "tenant_id" | "connection_id">;

/**
 * Invoices are recognised by their ids in the ERP, which another company's ERP may give to others: throws `validation_failed`
 * before a connection that has payments or live payment links moves to another address.
 */
async function assertSameInvoices(tx: Transaction, connection: Connection) {
  const { payments, liveLinks } = await paidOrPayable(tx, connection);
  if (payments + liveLinks === 0) return;
  const stake = `${counted(payments, "payment")} and ${counted(liveLinks, "live payment link")}`;
  const why = `this connection has ${stake}, which go with the ids of their invoices: where another ERP uses those ids, they would be taken for its invoices'. Connect another ERP as a connection of its own`;
  throw toConfirm("sameInvoices", why);
}

/** Auto Generate passed its invoices and their cancelled emails over while it was disconnected. */
async function resumeWorkflows(tx: Transaction, core: Core, connection: Connection) {
  await queueOpenInvoices(tx, core, connection.tenant_id, ["connection_id", connection.connection_id]);
  for (const workflow of await workflowsOf(tx, connection.tenant_id))
    if (workflow.enabled) await rescheduleEmails(tx, core, workflow, { isMoved: false });
}
