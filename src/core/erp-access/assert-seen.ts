import type { Transaction } from "../../store/store.ts";
import { ServiceError } from "../kernel/error.ts";
import { hasUnseenErp, hasWorkflowOn } from "./unseen-queries.ts";

/**
 * A workflow acts only on ERPs whose invoices a preview could show (completions §7): throws `conflict` before one is turned on
 * while an ERP has yet to be synced.
 */
export async function assertErpsSeen(tx: Transaction, tenantId: string) {
  if (await hasUnseenErp(tx, tenantId))
    throw new ServiceError(
      "conflict",
      "An ERP connection has yet to be synced, so a preview cannot show what the workflow would do. Sync it first (“Sync now” on its page, or erp sync --wait).",
    );
}

/** The same after a connection was changed, while workflows are on; the caller holds the workspace's figures. Throws `conflict`. */
export async function assertNothingUnseen(tx: Transaction, tenantId: string) {
  if ((await hasWorkflowOn(tx, tenantId)) && (await hasUnseenErp(tx, tenantId)))
    throw new ServiceError(
      "conflict",
      "A workflow is on, and would act on invoices of this ERP before anybody has seen them. Turn it off, let the ERP sync, and turn it on again: that shows first what it does.",
    );
}
