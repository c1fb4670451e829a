import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { lockTenantFigures } from "../collection/collection-queries.ts";
import { erpAt } from "../erp-access/address.ts";
import {
  connectionNames,
  connectionsOf,
  isListed,
  lockConnection,
  updateConnection,
} from "../erp-access/connection-queries.ts";
import { ErpConnection, ReceiptApplyMode } from "../erp-access/schema.ts";
import { changedSettings } from "../gate/audit.ts";
import { ADMINS_READ, type Manager, operation, type RunContext } from "../gate/operation.ts";
import { orNotFound } from "../kernel/error.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { type HeldRetirement, heldRetirements } from "../sync-runs/finish-queries.ts";
import { latestRunOf, type SyncRunRecord } from "../sync-runs/queries.ts";
import { type Remains, remainsOf } from "./remains-queries.ts";

/** A connection as operators see it: everything but the credential, and what the service's jobs count. */
export const OperatorConnection = ErpConnection.extend({
  name: z.string().nullable(),
  url: z.string(),
  address_reach: z.enum(["any", "public"]),
  username: z.string(),
  sync_enabled: z.boolean(),
  pull_contact_name: z.boolean(),
  apply_mode: ReceiptApplyMode,
  receipt_method: z.string(),
});
export type OperatorConnection = z.output<typeof OperatorConnection>;

/** A workspace's connections, the latest disconnected ones too, oldest first. */
export const listErp = operation({
  id: "listErp",
  summary: "The ERP connections of a workspace",
  ...ADMINS_READ,
  input: z.strictObject({
    connection: Uuid.optional().describe("this one too, however long it has been disconnected"),
  }),
  output: z.array(OperatorConnection),
  run: async ({ tx, actor }, { connection }) =>
    (await connectionsOf(tx, actor.tenantId, isListed(actor.tenantId, connection))).map(asOperatorConnection),
});

/**
 * Changes a connection and names it for the audit trail where it is another then. Nobody changes it meanwhile, nor figures of its
 * workspace: links reserved before are counted, later ones see the change. Throws `not_found`.
 */
export async function changeConnection(
  { tx, actor: { tenantId }, audit }: RunContext<Manager>,
  connectionId: string,
  work: (connection: ErpConnectionRow) => Promise<Partial<ErpConnectionRow>>,
) {
  await lockTenantFigures(tx, tenantId);
  const before = orNotFound(await lockConnection(tx, tenantId, connectionId), "ERP connection");
  const change = await work(before);
  await updateConnection(tx, before, change);
  // Read again: ending a run leaves its mark on the connection too.
  const after = await lockConnection(tx, tenantId, connectionId);
  const isSame = isDeepStrictEqual({ ...before, ...change }, before);
  const details = changedSettings(asOperatorConnection(before), asOperatorConnection({ ...before, ...change }));
  audit(isSame ? null : { type: "erp_connection", id: connectionId, details });
  return asOperatorConnection(after ?? before);
}

/** A row as operators see it. */
export function asOperatorConnection(row: ErpConnectionRow) {
  const {
    tenant_id: _tenant,
    connection_id: id,
    credential: _secret,
    base_url: url,
    unreachable_runs: _runs,
    status_since: _since,
    ...rest
  } = row;
  return { id, url, ...rest };
}

/** A connection with the run that was started last; null before the first. */
export interface ErpConnectionState {
  connection: OperatorConnection;
  /** What it is called, where no person named it too. */
  name: string;
  latestRun: SyncRunRecord | null;
  /** The same ERP connected once more; null where it is not, or this one is disconnected. */
  twin: OperatorConnection | null;
  /** What its last complete pull missed and a person has to confirm; null for nothing. */
  held: HeldRetirement | null;
}

/** How a workspace's connections stand, oldest first: what its admins judge by whether figures are fresh. */
export const listErpStates = operation({
  id: "listErpStates",
  summary: "List how ERP connections stand",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(z.custom<ErpConnectionState>()),
  async run({ tx, actor: { tenantId } }) {
    const states: ErpConnectionState[] = [];
    const rows = await connectionsOf(tx, tenantId, isListed(tenantId));
    const held = await heldRetirements(tx, tenantId);
    const names = await connectionNames(
      tx,
      tenantId,
      rows.map(({ connection_id: id }) => id),
    );
    const live = rows.filter(({ status }) => status !== "disconnected");
    const byErp = Map.groupBy(live, ({ base_url: url }) => erpAt(url));
    for (const row of rows) {
      const same = row.status === "disconnected" ? [] : byErp.get(erpAt(row.base_url));
      const twin = same?.find(({ connection_id: id }) => id !== row.connection_id) ?? null;
      states.push({
        connection: asOperatorConnection(row),
        name: names.get(row.connection_id) ?? "",
        latestRun: (await latestRunOf(tx, tenantId, row.connection_id)) ?? null,
        twin: twin === null ? null : asOperatorConnection(twin),
        held: held.find(({ connection_id: id }) => id === row.connection_id) ?? null,
      });
    }
    return states;
  },
});

/** What hangs on a connection that is about to be disconnected. */
export const readErpRemains = operation({
  id: "readErpRemains",
  summary: "Say what hangs on an ERP connection",
  ...ADMINS_READ,
  input: z.strictObject({ connectionId: Uuid }),
  output: z.custom<Remains>(),
  run: ({ tx, actor }, { connectionId }) => remainsOf(tx, { tenant_id: actor.tenantId, connection_id: connectionId }),
});
