import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { findTwin, isTwin } from "../erp-access/address.ts";
import { connectionsOf } from "../erp-access/connection-queries.ts";
import { validationFailed } from "../kernel/validation.ts";
import { lockTenantFigures } from "../provider-access/integration-queries.ts";
import { remainsOf } from "./remains-queries.ts";

/**
 * Two connections to one ERP bring every invoice twice that both users see: throws `validation_failed` before the second, unless
 * `sameErp` confirms it. Invoices of a disconnected one count too, where the address `isNew` to this connection. Other connections
 * of the workspace wait until the transaction ends.
 */
export async function assertNotTwice(
  tx: Transaction,
  connection: Pick<ErpConnectionRow, "tenant_id" | "connection_id" | "base_url">,
  { sameErp, isNew }: { sameErp: boolean; isNew: boolean },
): Promise<void> {
  const { tenant_id: tenantId } = connection;
  await lockTenantFigures(tx, tenantId);
  if (sameErp) return;
  const others = await connectionsOf(tx, tenantId);
  const twin = findTwin(connection, others);
  if (twin !== null) throw refusal(`this ERP is connected already, as ${twin.username}: ${TWICE}`);
  for (const other of isNew ? others.filter((one) => isTwin(one, connection)) : []) {
    const { connection_id: id, username } = other;
    if ((await remainsOf(tx, other)).invoices > 0)
      throw refusal(
        `this ERP was connected before, as ${username}, and the invoices of that connection go on counting: ${TWICE}. Reconnect it instead (“Reconnect” on its page, or erp reconnect --connection ${id}), as another user if need be`,
      );
  }
}

const TWICE = "an invoice that both users see would come twice, and its customer be asked twice";

const refusal = (why: string) => validationFailed([{ field: "sameErp", message: `must be given, because ${why}` }]);
