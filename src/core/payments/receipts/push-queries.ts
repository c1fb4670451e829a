import { type RawBuilder, sql } from "kysely";
import { tryName } from "../../../store/named-lock.ts";
import { type Shards, tenantsWith } from "../../../store/shards.ts";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import {
  type Claimed,
  claimOfLine,
  type Instants,
  type Lease,
  type Line,
  nextLines,
  UNCLAIMED,
  type WorkKind,
} from "../../../store/work-queue.ts";
import { isConnected } from "../../erp-access/connection-status-queries.ts";
import { sameTenant } from "../../kernel/same-tenant.ts";

/** The push, locked after its invoice; undefined once the claim is lost. */
export function lockClaimedPush(tx: Transaction, push: ClaimedPush) {
  return tx
    .selectFrom("payments")
    .innerJoin("tenants", "tenants.tenant_id", "payments.tenant_id")
    .innerJoin("invoices", sameTenant("invoices", "payments", "invoice_id"))
    .innerJoin("erp_connections", sameTenant("erp_connections", "invoices", "connection_id"))
    .leftJoin("installments", sameTenant("installments", "payments", "installment_id"))
    .select([
      "payments.erp_push_status",
      "payments.erp_push_error",
      "payments.push_first_attempt_at",
      "payments.erp_receipt_id",
      "payments.erp_receipt_number",
      "payments.amount",
      "payments.currency",
      "payments.paid_at",
      "payments.created_at",
      "payments.installment_id",
      "payments.erp_outstanding_before",
      "payments.erp_outstanding_read_at",
      "payments.receipt_round",
      "payments.push_anyway",
      "payments.push_retryable",
      "invoices.erp_invoice_id",
      "invoices.currency as invoice_currency",
      "invoices.invoice_number",
      "invoices.business_unit",
      "invoices.customer_number",
      "invoices.customer_site",
      "invoices.missing_since",
      "invoices.retired_at",
      "installments.erp_installment_id",
      "erp_connections.connection_id",
      "erp_connections.provider",
      "erp_connections.base_url",
      "erp_connections.address_reach",
      "erp_connections.username",
      "erp_connections.credential",
      "erp_connections.apply_mode",
      "erp_connections.receipt_method",
      "tenants.timezone",
    ])
    .where((column) => column.and({ "payments.tenant_id": push.tenant_id, "payments.payment_id": push.payment_id }))
    .where("payments.claim_id", "=", push.claim_id)
    .forUpdate("payments")
    .executeTakeFirst();
}

/** A push, with all that its ERP is sent and how that is reached. */
export type PushRow = NonNullable<Awaited<ReturnType<typeof lockClaimedPush>>>;

/** Other payments of the same installment whose receipts may be in the ERP, in the order of their recording. */
export function otherPushes(
  tx: Transaction,
  push: ClaimedPush,
  { installment_id: installmentId }: Pick<PushRow, "installment_id">,
) {
  return tx
    .selectFrom("payments")
    .selectAll()
    .where((column) => column.and({ tenant_id: push.tenant_id, invoice_id: push.invoice_id }))
    .where("installment_id", installmentId === null ? "is" : "=", installmentId)
    .where("payment_id", "<>", push.payment_id)
    .where("erp_push_status", "in", ["processing", "failed", "posted", "applied"])
    .orderBy("created_at")
    .orderBy("payment_id")
    .execute();
}

export type OtherPushRow = Awaited<ReturnType<typeof otherPushes>>[number];

/** The tenants in which a claim holds something; any claim where none is named. */
export function tenantsOfClaims(tx: Transaction, shards: Shards, claimId: string | null) {
  const isHeld = claimId === null ? sql`lease_expires_at is not null` : sql`claim_id = ${claimId}`;
  return tenantsWith(tx, shards, "payments", isHeld);
}

/** Gives up what a claim holds in a tenant, or all claims; `next` is when the pushes are tried again, as before where left out. */
export async function releaseClaims(
  tx: Transaction,
  claim: { tenant_id: string; claim_id?: string },
  next: { next_attempt_at?: string } = {},
) {
  await tx
    .updateTable("payments")
    .set({ ...UNCLAIMED, ...next })
    .where((column) => column.and(claim))
    .where("lease_expires_at", "is not", null)
    .execute();
}

/** A push that a worker has claimed. */
export type ClaimedPush = Claimed<"payments"> & Pick<PaymentRow, "invoice_id" | "connection_id"> & { claim_id: string };

/** Receipts, in one line for each ERP, which is sent one after the other. */
const RECEIPTS: WorkKind<"payments"> = {
  table: "payments",
  isWork: sql`((erp_push_status in ('pending', 'processing') or push_retryable) and not push_put_off)`,
  line: ["tenant_id", "connection_id"],
  readyAt: sql`coalesce(lease_expires_at, next_attempt_at, created_at)`,
};

/** Lines found together: where another worker is claiming in the first, the second is free. */
const LINES_AT_ONCE = 2;

/** The next lines after a given one, of any tenant but some, in which a push is due, nobody is at work and whose ERP is connected. */
export function freeLines(
  tx: Transaction,
  shards: Shards,
  { after, except }: { after: Line | null; except: readonly string[] },
  instants: Instants,
) {
  const where = sql`exists (
      select from erp_connections as connection
      where connection.tenant_id = line.tenant_id and connection.connection_id = line.connection_id
        and ${isConnected("connection")})
    and not ${isBusy(sql`line.tenant_id`, sql`line.connection_id`, instants)}`;
  return nextLines(tx, shards, RECEIPTS, instants, { after, limit: LINES_AT_ONCE, where, except });
}

/**
 * Claims the push of a line that has been due longest; none when somebody was sooner, or is claiming there just now. In a
 * statement after the one that takes the line, which sees what was claimed before.
 */
export async function claimFirstOf(tx: Transaction, line: Line, lease: Lease) {
  if (!(await tryName(tx, `receipts of ${line.connection_id}`))) return [];
  const unless = isBusy(sql`${line.tenant_id}::uuid`, sql`${line.connection_id}::uuid`, lease);
  const rows = await claimOfLine(tx, RECEIPTS, line, lease, { limit: 1, unless });
  return rows.map((row) => ({ ...row, claim_id: lease.claimId }));
}

/** Whether a worker is telling an ERP of a receipt. */
const isBusy = (
  tenantId: RawBuilder<unknown>,
  connectionId: RawBuilder<unknown>,
  { now, farthest }: Instants,
) => sql`exists (
  select from payments as payment
  where payment.tenant_id = ${tenantId} and payment.connection_id = ${connectionId}
    and payment.lease_expires_at > ${now} and payment.lease_expires_at <= ${farthest})`;
