import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { lockTenantFigures } from "../collection/collection-queries.ts";
import { isSameErp } from "../erp-access/address.ts";
import { connectionsOf, countsStill } from "../erp-access/connection-queries.ts";
import { ServiceError } from "../kernel/error.ts";
import { toConfirm } from "../kernel/validation.ts";
import { remainsOf } from "./remains-queries.ts";

/** Connections of a workspace that are not disconnected: they are listed on one page. */
const MOST_LIVE = 50;

/**
 * Two connections to one ERP bring every invoice twice that both users see: throws `validation_failed` before the second, unless
 * `sameErp` confirms it. Where the address `isNew` to this connection, invoices of a disconnected one count too, and those of one that
 * was moved and not synced since, which are of another address. Other connections
 * of the workspace wait until the transaction ends. Throws `conflict` where there are too many.
 */
export async function assertNotTwice(
  tx: Transaction,
  connection: Pick<ErpConnectionRow, "tenant_id" | "connection_id" | "base_url">,
  { sameErp, isNew }: { sameErp: boolean; isNew: boolean },
) {
  const { tenant_id: tenantId } = connection;
  await lockTenantFigures(tx, tenantId);
  const all = await connectionsOf(tx, tenantId, countsStill);
  const others = all.filter((other) => other.connection_id !== connection.connection_id);
  const live = others.filter(({ status }) => status !== "disconnected");
  if (live.length >= MOST_LIVE)
    throw new ServiceError("conflict", `This workspace has ${MOST_LIVE} ERP connections. Disconnect one first.`);
  if (sameErp) return;
  const isSame = ({ base_url: url }: ErpConnectionRow) => isSameErp(url, connection.base_url);
  const twin = live.find(isSame);
  if (twin !== undefined) throw refusal(`this ERP is connected already, as ${twin.username}: ${TWICE}`);
  for (const other of isNew ? others : []) {
    const { connection_id: id, username } = other;
    const isUnseen = other.last_successful_sync_at === null;
    if (!isUnseen && !isSame(other)) continue;
    if ((await remainsOf(tx, other)).invoices === 0) continue;
    if (isUnseen)
      throw refusal(
        `the connection ${id} of ${username} was moved, or has yet to be synced in whole: its invoices may be this ERP's, and until its next sync go on counting: ${TWICE}. Sync it first`,
      );
    throw refusal(
      `this ERP was connected before, as ${username}, and the invoices of that connection go on counting: ${TWICE}. Reconnect it instead (“Reconnect” on its page, or erp reconnect --connection ${id}), as another user if need be`,
    );
  }
}

const TWICE = "an invoice that both users see would come twice, and its customer be asked twice";

const refusal = (why: string) => toConfirm("sameErp", why);
