import { sql } from "kysely";
import { z } from "zod";
import { isLiveLink } from "../../store/live-links.ts";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { scheduledMessages } from "../payment-links/emails/link-email-queries.ts";

/** What a connection brought in or has to be told, and what is still there once it is disconnected. */
export const Remains = z.strictObject({
  invoices: z.int().describe("Not those that the ERP no longer has"),
  live_links: z.int().describe("Payment links that customers can pay, those being made among them"),
  messages: z.int().describe("Messages to customers that are scheduled with those links"),
  receipts_waiting: z.int().describe("Receipts that are written back by themselves once the ERP is connected"),
  receipts_held: z.int(),
  receipts_for_a_person: z.int().describe("Receipts that failed or were reversed: a person decides"),
});
export type Remains = z.output<typeof Remains>;

type Connection = Pick<ErpConnectionRow, "tenant_id" | "connection_id">;

/** Counts what hangs on a connection. */
export async function remainsOf(tx: Transaction, { tenant_id, connection_id }: Connection) {
  const { rows } = await sql<Omit<Remains, "messages">>`
    select
      (select count(*) from invoices as invoice
        where invoice.tenant_id = ${tenant_id} and invoice.connection_id = ${connection_id}
          and invoice.retired_at is null)::integer as invoices,
      ${liveLinksOf({ tenant_id, connection_id })}::integer as live_links,
      (count(*) filter (where payment.erp_push_status in ('pending', 'processing') or payment.push_retryable))::integer
        as receipts_waiting,
      (count(*) filter (where payment.erp_push_status = 'held'))::integer as receipts_held,
      (count(*) filter (where payment.erp_push_status in ('failed', 'reversed') and not payment.push_retryable))::integer
        as receipts_for_a_person
    from payments as payment
    where payment.tenant_id = ${tenant_id} and payment.connection_id = ${connection_id}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("a count answers one row");
  const { messages } = await scheduledMessages(tx, tenant_id, { connectionId: connection_id });
  return { ...row, messages };
}

/** How many live links. */
const liveLinksOf = ({
  tenant_id,
  connection_id,
}: Connection) => sql<string>`(select count(*) from payment_links as link
  join invoices as invoice on invoice.tenant_id = link.tenant_id and invoice.invoice_id = link.invoice_id
  where link.tenant_id = ${tenant_id} and invoice.connection_id = ${connection_id} and ${isLiveLink("link")})`;

/** How many payments a connection's invoices have had, and how many links that can be paid. */
export async function paidOrPayable(tx: Transaction, { tenant_id, connection_id }: Connection) {
  const { rows } = await sql<{ payments: string; links: string }>`
    select count(*) as payments, ${liveLinksOf({ tenant_id, connection_id })} as links from payments as payment
    where payment.tenant_id = ${tenant_id} and payment.connection_id = ${connection_id}`.execute(tx);
  return { payments: Number(rows[0]?.payments), liveLinks: Number(rows[0]?.links) };
}
