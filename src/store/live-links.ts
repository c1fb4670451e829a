import { sql } from "kysely";

/** Whether a payment link, by its table's name in the query, takes of what is available: made or being made, and not paid. */
export function isLiveLink(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`${column("state")} in ('reserved', 'active') and ${column("paid_at")} is null`;
}

/**
 * What payment links could still be made for on an invoice, by its table's name: of each collectible installment what its live
 * links leave. Every part names the tenant, or workers refuse it.
 */
export const availableOf = (table: string, tenantId: string) => sql<string>`(
  select coalesce(sum(greatest(part.collection_outstanding - (
    select coalesce(sum(link.amount), 0) from payment_links as link
    where link.tenant_id = ${tenantId} and link.installment_id = part.installment_id and ${isLiveLink("link")}
  ), 0)), 0)
  from installments as part
  where part.tenant_id = ${tenantId} and part.invoice_id = ${sql.ref(`${table}.invoice_id`)} and part.collectible)`;
