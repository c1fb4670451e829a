import { type RawBuilder, sql } from "kysely";

/** Whether a payment link, by its table's name in the query, takes of what is available: made or being made, and not paid. */
export function isLiveLink(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`${column("state")} in ('reserved', 'active') and ${column("paid_at")} is null`;
}

/**
 * The installments of some invoices, which are what an id is compared with, and what live links leave of each (`available`), gathered
 * for all of them at once. Every part names the tenant, or workers refuse it.
 */
export const partsLessLinks = (tenantId: string, invoices: RawBuilder<unknown>) => sql`
  select part.*, greatest(part.collection_outstanding - coalesce(live.amount, 0), 0) as available
  from installments as part left join (
    select link.installment_id, sum(link.amount) as amount from payment_links as link
    where link.tenant_id = ${tenantId} and link.invoice_id = ${invoices} and ${isLiveLink("link")}
    group by link.installment_id
  ) as live on live.installment_id = part.installment_id
  where part.tenant_id = ${tenantId} and part.invoice_id = ${invoices}`;

/** What payment links could still be made for on one invoice, by its table's name in the query: on its collectible installments. */
export const availableOf = (table: string, tenantId: string) => sql<string>`coalesce((
  select sum(available) from (${partsLessLinks(tenantId, sql.ref(`${table}.invoice_id`))}) as part where collectible), 0)`;
