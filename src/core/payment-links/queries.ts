import type { SelectQueryBuilder } from "kysely";
import type { Given } from "../../store/prepared.ts";
import type { Transaction } from "../../store/store.ts";
import type { Tables } from "../../store/tables/index.ts";
import type { InvoiceRow } from "../../store/tables/invoices.ts";
import type { PaymentLinkRow } from "../../store/tables/payment-links.ts";
import type { LinkFilters } from "./schema.ts";

const COLUMNS = [
  "payment_links.payment_link_id",
  "payment_links.invoice_id",
  "payment_links.installment_id",
  "payment_links.payment_integration_id",
  "payment_links.amount",
  "payment_links.amount_minor",
  "payment_links.currency",
  "payment_links.url",
  "payment_links.state",
  "payment_links.email_status",
  "payment_links.email_to",
  "payment_links.email_send_at",
  "payment_links.email_sent_at",
  "payment_links.created_at",
  "payment_links.created_by_kind",
  "payment_links.created_by_id",
  "payment_links.paid_at",
  "payment_links.deactivated_at",
] as const;

type ColumnName<C> = C extends `payment_links.${infer Name extends keyof PaymentLinkRow}` ? Name : never;

/** A link as it is read. */
export type LinkRecord = Pick<PaymentLinkRow, ColumnName<(typeof COLUMNS)[number]>> &
  Pick<InvoiceRow, "invoice_number" | "customer_email">;

type LinkQuery = SelectQueryBuilder<Tables, "payment_links" | "invoices", LinkRecord>;

/** What a reservation has not become is no link to anybody. */
const SHOWN = ["active", "paid", "deactivated"] as const;

function links(tx: Transaction, tenantId: Given<string>): LinkQuery {
  return tx
    .selectFrom("payment_links")
    .innerJoin("invoices", (join) =>
      join
        .onRef("invoices.tenant_id", "=", "payment_links.tenant_id")
        .onRef("invoices.invoice_id", "=", "payment_links.invoice_id"),
    )
    .select([...COLUMNS, "invoices.invoice_number", "invoices.customer_email"])
    .where("payment_links.tenant_id", "=", tenantId)
    .where("payment_links.state", "in", SHOWN);
}

/** The tenant's links that match every filter given (completions §5), unordered. */
export function matchingLinks(tx: Transaction, tenantId: Given<string>, filters: LinkFilters): LinkQuery {
  let query = links(tx, tenantId);
  if (filters.invoice_id !== undefined) query = query.where("payment_links.invoice_id", "=", filters.invoice_id);
  if (filters.installment_id !== undefined)
    query = query.where("payment_links.installment_id", "=", filters.installment_id);
  if (filters.status !== undefined) query = query.where("payment_links.state", "=", filters.status);
  return query;
}

/** Some links by id. */
export function linksById(tx: Transaction, tenantId: string, linkIds: readonly string[]): Promise<LinkRecord[]> {
  return links(tx, tenantId)
    .where("payment_links.payment_link_id", "in", [...linkIds])
    .execute();
}
