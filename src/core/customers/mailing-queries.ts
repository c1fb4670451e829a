import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { CustomerRow } from "../../store/tables/invoices.ts";
import type { CustomerMailingRow } from "../../store/tables/mail.ts";
import type { LinkEmailRow } from "../../store/tables/payment-links.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { MailFailure } from "../mail/failure.ts";
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

export async function upsertMailing(tx: Transaction, row: CustomerMailingRow) {
  const { locale, no_mail, updated_at } = row;
  await tx
    .insertInto("customer_mailing")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["tenant_id", "customer_id"]).doUpdateSet({ locale, no_mail, updated_at }),
    )
    .execute();
}

/** A message to a customer that failed, with links that can still be paid. */
export interface FailedMessage extends Pick<CustomerRow, "name">, MailFailure {
  customer_id: string | null;
  recipient: LinkEmailRow["recipient"];
  failed_at: string;
  /** The links in it. */
  links: number;
}

/** The latest of them, of one customer or of all. */
export async function selectFailed(
  tx: Transaction,
  tenantId: string,
  { customerId, limit }: { customerId: string | null; limit: number },
) {
  const ofCustomer = customerId === null ? sql`` : sql`and invoice.customer_id = ${customerId}`;
  const { rows } = await sql<FailedMessage>`
    select invoice.customer_id, max(invoice.customer_name) as name, email.recipient, email.failed_at,
      email.failure, email.server_codes, email.server_words, count(*)::int as links
    from link_emails as email
    join payment_links as link on link.tenant_id = email.tenant_id and link.payment_link_id = email.payment_link_id
    join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
    where email.tenant_id = ${tenantId} and email.failed_at is not null ${ofCustomer}
      and email.status = 'failed' and link.state = 'active' and link.paid_at is null
    group by email.message_id, invoice.customer_id, email.recipient, email.failed_at,
      email.failure, email.server_codes, email.server_words
    order by email.failed_at desc, email.recipient limit ${limit}`.execute(tx);
  return rows;
}
