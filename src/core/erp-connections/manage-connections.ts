import type { z } from "zod";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables.ts";
import { type Core, nowOf } from "../core.ts";
import { notFound } from "../error.ts";
import { lockChargeableCurrencies } from "../invoices/collection-queries.ts";
import { type PageAdmin, recordAdminAct } from "../operator.ts";
import { lockTenantFigures } from "../payment-integrations/integration-queries.ts";
import { RECEIPTS_QUEUED } from "../payments/push-receipt.ts";
import { interruptRunOf } from "../sync-runs/interrupt-runs.ts";
import { lockConnection } from "../sync-runs/lifecycle-queries.ts";
import { parseInput } from "../validation.ts";
import { queueInvoicesOf } from "../workflows/queue-queries.ts";
import { reachOfAddress } from "./address.ts";
import { type AccessCheck, checkErpAccess, type SeenAccess } from "./check-access.ts";
import { Change, Connect, Reconnect } from "./connection-input.ts";
import { connectionsOf, forgetContactNames, insertConnection, updateConnection } from "./connection-queries.ts";
import { type Remains, remainsOf } from "./remains-queries.ts";
import { twinOf } from "./twins.ts";

/** A connection as operators see it: everything but the credential, and what the service's jobs count. */
export type OperatorConnection = Omit<
  ErpConnectionRow,
  "tenant_id" | "connection_id" | "credential" | "base_url" | "unreachable_runs"
> & {
  id: string;
  url: string;
};

/**
 * Connects a workspace to an ERP, which is asked first where `check` says so; else the first pull tells whether the
 * credential works. Without `by` it is an operator, who alone may name any address. `problem` is what the ERP was seen to
 * refuse, where it is kept all the same; `twin` a connection that is alike. Throws `validation_failed`, of the ERP's answer too, and `permission_denied`.
 */
export async function connectErp(
  core: Core,
  tenantId: string,
  input: z.input<typeof Connect>,
  by?: PageAdmin,
  check?: AccessCheck,
): Promise<OperatorConnection & { problem: string | null; twin: string | null }> {
  const given = parseInput(Connect, input);
  const reach = reachOfAddress(core, given.url, by);
  const there = await core.store.read(tenantId, (tx) => connectionsOf(tx, tenantId));
  const twin = twinOf({ base_url: given.url, username: given.username }, there)?.connection_id ?? null;
  const settings = { ...given, baseUrl: given.url, reach };
  const seen = check === undefined ? NOT_ASKED : await checkErpAccess(given.provider, settings, check);
  const connectionId = core.newId();
  const row: ErpConnectionRow = {
    tenant_id: tenantId,
    connection_id: connectionId,
    provider: given.provider,
    status: seen.status,
    base_url: given.url,
    address_reach: reach,
    username: given.username,
    credential: core.secrets.encrypt(given.password, placeOf(connectionId)),
    sync_enabled: true,
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
    created_at: nowOf(core),
  };
  await core.store.write(tenantId, async (tx) => {
    await insertConnection(tx, row);
    await recordAct(tx, core, { tenantId, operation: "connectErp", objectId: connectionId }, by);
  });
  const { problem } = seen;
  return {
    ...asOperatorConnection(row),
    twin,
    problem: problem === null ? null : `${NAMES[problem.field] ?? problem.field} ${problem.message}.`,
  };
}

const NAMES: Readonly<Record<string, string>> = { url: "The address", password: "The password" };
const NOT_ASKED: SeenAccess = { status: "connected", problem: null };

/**
 * Gives a connection a new credential, and maybe address; a run that uses the old one ends, and receipts that waited
 * meanwhile go on. `by` and `check` as above. Throws `not_found`, `validation_failed` and `permission_denied`.
 */
export async function reconnectErp(
  core: Core,
  tenantId: string,
  input: z.input<typeof Reconnect>,
  by?: PageAdmin,
  check?: AccessCheck,
): Promise<OperatorConnection> {
  const { connectionId, url, username, password } = parseInput(Reconnect, input);
  if (check !== undefined) {
    const known = (await listErp(core, tenantId)).find(({ id }) => id === connectionId);
    if (known === undefined) throw notFound("ERP connection");
    const baseUrl = url ?? known.url;
    const reach = baseUrl === known.url && by !== undefined ? known.address_reach : reachOfAddress(core, baseUrl, by);
    await checkErpAccess(known.provider, { baseUrl, username: username ?? known.username, password, reach }, check);
  }
  const changing = { core, tenantId, connectionId, operation: "reconnectErp", by };
  const reconnected = await change(changing, async (tx, connection) => {
    const isNamed = url !== undefined && (url !== connection.base_url || by === undefined);
    const address = isNamed ? { base_url: url, address_reach: reachOfAddress(core, url, by) } : {};
    await interruptRunOf(tx, core, { tenantId, connectionId }, "The connection was reconnected meanwhile.");
    if (connection.status === "disconnected") await resumeWorkflows(tx, core, connection);
    return {
      status: "connected",
      unreachable_runs: 0,
      credential: core.secrets.encrypt(password, placeOf(connectionId)),
      ...address,
      ...(username === undefined ? {} : { username }),
    };
  });
  await core.store.publish({ topic: RECEIPTS_QUEUED, payload: tenantId });
  return reconnected;
}

/** Auto Generate passed its invoices over while it was disconnected. */
async function resumeWorkflows(tx: Transaction, core: Core, connection: ErpConnectionRow): Promise<void> {
  await lockChargeableCurrencies(tx, connection.tenant_id);
  await queueInvoicesOf(tx, core, connection);
}

/** Changes what is given, the rest stays. Switching sync off ends a run in flight. `by` and errors as above. */
export async function setErp(
  core: Core,
  tenantId: string,
  input: z.input<typeof Change>,
  by?: PageAdmin,
): Promise<OperatorConnection> {
  const given = parseInput(Change, input);
  const { connectionId } = given;
  return change({ core, tenantId, connectionId, operation: "setErp", by }, async (tx, connection) => {
    if (given.sync === false)
      await interruptRunOf(tx, core, { tenantId, connectionId }, "Sync was switched off meanwhile.");
    if (given.contactName === false) await forgetContactNames(tx, connection, nowOf(core));
    return {
      sync_enabled: given.sync ?? connection.sync_enabled,
      auto_sync_enabled: given.autoSync ?? connection.auto_sync_enabled,
      auto_sync_interval_minutes: given.intervalMinutes ?? connection.auto_sync_interval_minutes,
      pull_invoice_date_from: given.pullFrom === undefined ? connection.pull_invoice_date_from : given.pullFrom,
      pull_contact_name: given.contactName ?? connection.pull_contact_name,
      apply_mode: given.applyMode ?? connection.apply_mode,
      receipt_method: given.receiptMethod ?? connection.receipt_method,
      payment_push_mode: given.paymentPushMode ?? connection.payment_push_mode,
    };
  });
}

/**
 * Switches a connection off and forgets its credential; what it brought in stays, and `remains` counts that. Auto Generate
 * makes no link for its invoices from then on. `by` and errors as above.
 */
export function disconnectErp(
  core: Core,
  tenantId: string,
  connectionId: string,
  by?: PageAdmin,
): Promise<OperatorConnection & { remains: Remains }> {
  const changing = { core, tenantId, connectionId, operation: "disconnectErp", by };
  return core.store.write(tenantId, async (tx) => {
    const disconnected = await changeIn(tx, changing, async () => {
      await interruptRunOf(tx, core, { tenantId, connectionId }, "The connection was disconnected meanwhile.");
      // Whoever reserves links holds the tenant's row: they are counted, or see that the connection is off.
      await lockTenantFigures(tx, tenantId);
      return { status: "disconnected", credential: null };
    });
    return { ...disconnected, remains: await remainsOf(tx, { tenant_id: tenantId, connection_id: connectionId }) };
  });
}

/** A workspace's connections, oldest first. */
export async function listErp(core: Pick<Core, "store">, tenantId: string): Promise<OperatorConnection[]> {
  const rows = await core.store.read(tenantId, (tx) => connectionsOf(tx, tenantId));
  return rows.map(asOperatorConnection);
}

type Work = (tx: Transaction, connection: ErpConnectionRow) => Promise<Partial<ErpConnectionRow>>;

/** Which connection is changed, how, and by whom. */
interface Changing {
  core: Core;
  tenantId: string;
  connectionId: string;
  operation: string;
  by: PageAdmin | undefined;
}

function change(changing: Changing, work: Work): Promise<OperatorConnection> {
  return changing.core.store.write(changing.tenantId, (tx) => changeIn(tx, changing, work));
}

async function changeIn(
  tx: Transaction,
  { core, tenantId, connectionId, operation, by }: Changing,
  work: Work,
): Promise<OperatorConnection> {
  const before = await lockConnection(tx, tenantId, connectionId);
  if (before === undefined) throw notFound("ERP connection");
  await updateConnection(tx, before, await work(tx, before));
  // Read again: ending a run leaves its mark on the connection too.
  const after = await lockConnection(tx, tenantId, connectionId);
  await recordAct(tx, core, { tenantId, operation, objectId: connectionId }, by);
  return asOperatorConnection(after ?? before);
}

function recordAct(
  tx: Transaction,
  core: Core,
  act: { tenantId: string; operation: string; objectId: string },
  by: PageAdmin | undefined,
): Promise<void> {
  return recordAdminAct(tx, core, { ...act, objectType: "erp_connection" }, by);
}

/** Where a credential stands: it decrypts nowhere else. */
function placeOf(connectionId: string): string {
  return `erp_connections/${connectionId}`;
}

/** A row as operators see it. */
export function asOperatorConnection(row: ErpConnectionRow): OperatorConnection {
  const {
    tenant_id: _tenant,
    connection_id: id,
    credential: _secret,
    base_url: url,
    unreachable_runs: _runs,
    ...rest
  } = row;
  return { id, url, ...rest };
}
