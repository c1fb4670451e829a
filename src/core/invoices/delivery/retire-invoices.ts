import type { Transaction } from "../../../store/store.ts";
import { nowOf, type Stamping } from "../../gate/dependencies.ts";
import { recomputeInvoices } from "../recompute.ts";
import { markRetired } from "./missing-queries.ts";

/**
 * Retires invoices that a complete pull did not find and the ERP confirmed to be gone (service.md §3.2): they stop being
 * collected and their tasks end. Being found again undoes it.
 */
export async function retireInvoices(tx: Transaction, core: Stamping, tenantId: string, invoiceIds: readonly string[]) {
  if (invoiceIds.length === 0) return;
  await markRetired(tx, tenantId, invoiceIds, nowOf(core));
  await recomputeInvoices(tx, core, tenantId, invoiceIds);
}
