import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { counted } from "../kernel/counted.ts";
import { toConfirm } from "../kernel/validation.ts";
import { paidOrPayable } from "./remains-queries.ts";

/**
 * Invoices are recognised by their ids in the ERP, which another company's ERP may give to others: throws `validation_failed`
 * before a connection that has payments or live payment links moves to another address, unless `sameInvoices` confirms it.
 */
export async function assertSameInvoices(
  tx: Transaction,
  connection: Pick<ErpConnectionRow, "tenant_id" | "connection_id">,
  { sameInvoices }: { sameInvoices: boolean },
) {
  if (sameInvoices) return;
  const { payments, liveLinks } = await paidOrPayable(tx, connection);
  if (payments + liveLinks === 0) return;
  const stake = `${counted(payments, "payment")} and ${counted(liveLinks, "live payment link")}`;
  const why = `this connection has ${stake}, which go with the ids of their invoices: where another ERP uses those ids, they would be taken for its invoices'. Connect another ERP as a connection of its own`;
  throw toConfirm("sameInvoices", why);
}
