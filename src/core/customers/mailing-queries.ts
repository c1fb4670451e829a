import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { CustomerRow } from "../../store/tables/invoices.ts";
import type { CustomerMailingRow } from "../../store/tables/mail.ts";
import type { LinkEmailRow } from "../../store/tables/payment-links.ts";
import { sameTenant } from "../shared/same-tenant.ts";
import { allNumbers } from "./queries.ts";

/** A customer and how they are mailed; undefined when the tenant has no such customer. */
export function selectMailing(tx: Transaction, tenantId: string, customerId: string) {
  return mailings(tx, tenantId).where("customer.customer_id", "=", customerId).executeTakeFirst();
}

/** The customers whom the workspace mails nothing, by name. */
export function selectUnmailed(tx: Transaction, tenantId: string, limit: number) {
  return mailings(tx, tenantId)
    .where("mailing.no_mail", "=", true)
    .orderBy("customer.sort_name")
    .orderBy("customer.customer_id")
    .limit(limit)
    .execute();
}

function mailings(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("customers as customer")
    .leftJoin("customer_mailing as mailing", sameTenant("mailing", "customer", "customer_id"))
    .select([
      "customer.customer_id",
      "customer.name",
      allNumbers("customer.numbers").as("number"),
      "mailing.locale",
      "mailing.no_mail",
    ])
    .select(["customer.email as erp_email", "customer.email_override as own_email"])
    .where("customer.tenant_id", "=", tenantId);
}

export async function upsertMailing(tx: Transaction, row: CustomerMailingRow): Promise<void> {
  const { locale, no_mail, updated_at } = row;
  await tx
    .insertInto("customer_mailing")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "customer_id"]).doUpdateSet({ locale, no_mail, updated_at }),
    )
    .execute();
}

/** A message to a customer that a mail server rejected for good. */
export interface RejectedMessage extends Pick<CustomerRow, "name"> {
  customer_id: string | null;
  recipient: LinkEmailRow["recipient"];
  rejection: string;
  rejected_at: string;
  /** The links in it. */
  links: number;
}

/** The latest that mail servers rejected, of one customer or of all. */
export async function selectRejected(
  tx: Transaction,
  tenantId: string,
  { customerId, limit }: { customerId: string | null; limit: number },
): Promise<RejectedMessage[]> {
  const ofCustomer = customerId === null ? sql`` : sql`and invoice.customer_id = ${customerId}`;
  const { rows } = await sql<RejectedMessage>`
    select invoice.customer_id, max(invoice.customer_name) as name, email.recipient, email.rejection, email.rejected_at,
      count(*)::int as links
    from link_emails as email
    join payment_links as link on link.tenant_id = email.tenant_id and link.payment_link_id = email.payment_link_id
    join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
    where email.tenant_id = ${tenantId} and email.rejected_at is not null ${ofCustomer}
    group by email.message_id, invoice.customer_id, email.recipient, email.rejection, email.rejected_at
    order by email.rejected_at desc, email.recipient limit ${limit}`.execute(tx);
  return rows;
}
