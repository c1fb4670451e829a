import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { lockTenantFigures } from "../payment-integrations/integration-queries.ts";
import { validationFailed } from "../shared/validation.ts";
import { findTwin } from "./address.ts";
import { connectionsOf } from "./connection-queries.ts";

/**
 * Two connections to one ERP bring every invoice twice that both users see: throws `validation_failed` before the second, unless
 * `sameErp` confirms it. Other connections of the workspace wait until the transaction ends.
 */
export async function assertNotTwice(
  tx: Transaction,
  connection: Pick<ErpConnectionRow, "tenant_id" | "connection_id" | "base_url">,
  { sameErp }: { sameErp: boolean },
): Promise<void> {
  const { tenant_id: tenantId } = connection;
  await lockTenantFigures(tx, tenantId);
  const twin = findTwin(connection, await connectionsOf(tx, tenantId));
  if (twin === null || sameErp) return;
  const why = `this ERP is connected already, as ${twin.username}: an invoice that both users see would come twice, and its customer be asked twice`;
  throw validationFailed([{ field: "sameErp", message: `must be given, because ${why}` }]);
}
