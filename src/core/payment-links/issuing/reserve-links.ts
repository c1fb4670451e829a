import type { Insertable } from "kysely";
import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentLinkRow } from "../../../store/tables/payment-links.ts";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import type { KeptAuthor } from "../../gate/author.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { type ErrorDetail, ServiceError } from "../../kernel/error.ts";
import { insertEmails, type NewEmail } from "../emails/link-email-queries.ts";
import { insertLinks, issuedSince, lockIssuing, RESERVED_MS } from "../link-queries.ts";
import { type AskedLink, type Ineligibility, lockBook } from "./locked-book.ts";

interface LinksRequest {
  readonly tenantId: string;
  readonly links: readonly AskedLink[];
  readonly createdBy: { readonly kind: PaymentLinkRow["created_by_kind"]; readonly id: string };
  /** Whom the audit entry names once the links are made or given up. */
  readonly author: KeptAuthor;
  /** When they were asked for, where the caller has told that to somebody already; else now. */
  readonly at?: string;
  /** What a field of one of the links is called by the caller. */
  fieldName(index: number, field: Ineligibility["field"]): string;
}

/** What was reserved; the ids are in the order of the request. */
export const Reservation = z.strictObject({
  tenant_id: z.string(),
  reservation_id: z.string(),
  link_ids: z.array(z.string()),
  /** The provider was asked before, and its outcome is unknown. */
  again: z.boolean(),
});
export type Reservation = z.output<typeof Reservation>;

/**
 * Checks every link of a request by the rules of completions §5 and §9 and reserves them all, holding their invoices and
 * installments: links of one request share what is available, and no two callers exceed it. One refusal refuses all,
 * with the code of the first and a detail for each. Throws ServiceError.
 */
export async function reserveLinks(tx: Transaction, core: Core, request: LinksRequest) {
  const { tenantId, links } = request;
  const now = request.at ?? nowOf(core);
  const connectionId = request.author.connection_id;
  await lockChargeableCurrencies(tx, tenantId);
  const book = await lockBook(tx, core, tenantId, links);
  // Locked last: while a request waits for its invoices, others of its connection do not wait for it.
  if (connectionId !== null) await assertWithinHour(tx, { tenantId, connectionId, links: links.length, now });
  const reservationId = core.newId();
  const leaseUntil = new Date(Date.parse(now) + RESERVED_MS).toISOString();
  const refusals: { refusal: Ineligibility; index: number }[] = [];
  const rows: Insertable<PaymentLinkRow>[] = [];
  const emails: NewEmail[] = [];
  for (const [index, asked] of links.entries()) {
    const allotted = book.allot(asked);
    if ("code" in allotted) {
      refusals.push({ refusal: allotted, index });
      continue;
    }
    const { amountMinor, amount, currency, invoice, integration } = allotted;
    const linkId = core.newId();
    rows.push({
      tenant_id: tenantId,
      payment_link_id: linkId,
      reservation_id: reservationId,
      reserved_by: JSON.stringify(request.author),
      invoice_id: asked.invoice_id,
      installment_id: asked.installment_id,
      payment_integration_id: integration.payment_integration_id,
      amount_minor: amountMinor.toString(),
      amount: amount.toFixed(),
      currency,
      description: invoice.invoice_number === null ? "Invoice" : `Invoice ${invoice.invoice_number}`,
      state: "reserved",
      provider_link_id: null,
      url: null,
      lease_expires_at: leaseUntil,
      next_attempt_at: now,
      created_by_kind: request.createdBy.kind,
      created_by_id: request.createdBy.id,
      created_through: connectionId,
      created_at: now,
      paid_at: null,
      deactivated_at: null,
    });
    if (asked.email !== undefined) emails.push({ linkId, ...asked.email });
  }
  const [first] = refusals;
  if (first !== undefined) throw refused(first.refusal, refusals, request);
  await insertLinks(tx, rows);
  await insertEmails(tx, tenantId, emails);
  return {
    tenant_id: tenantId,
    reservation_id: reservationId,
    link_ids: rows.map((row) => row.payment_link_id),
    again: false,
  };
}

function refused(
  { code, message, onPage = message }: Ineligibility,
  refusals: readonly { refusal: Ineligibility; index: number }[],
  { fieldName }: Pick<LinksRequest, "fieldName">,
) {
  const details = refusals.map(
    ({ refusal: { field, code: _, ...words }, index }): ErrorDetail => ({ ...words, field: fieldName(index, field) }),
  );
  return new ServiceError(code, message, { details, onPage });
}

/** Links that an assistant connection may issue in any hour, by all routes and in batches of any size. */
export const MAX_LINKS_AN_HOUR = 60;

const HOUR_MS = 3_600_000;

/**
 * Refuses links beyond {@link MAX_LINKS_AN_HOUR} with `rate_limit_exceeded`. What came to nothing does not count. Exact across
 * processes: requests of one connection take turns until the transaction ends.
 */
async function assertWithinHour(
  tx: Transaction,
  { tenantId, connectionId, links, now }: { tenantId: string; connectionId: string; links: number; now: string },
) {
  await lockIssuing(tx, connectionId);
  const since = new Date(Date.parse(now) - HOUR_MS).toISOString();
  const issued = await issuedSince(tx, { tenantId, connectionId, since });
  const excess = issued.length + links - MAX_LINKS_AN_HOUR;
  if (excess <= 0) return;
  const freed = Date.parse(issued[excess - 1] ?? now) + HOUR_MS;
  const retryAfterSeconds = Math.max(1, Math.ceil((freed - Date.parse(now)) / 1_000));
  const left = Math.max(0, MAX_LINKS_AN_HOUR - issued.length);
  const message = `An assistant issues at most ${MAX_LINKS_AN_HOUR} payment links an hour; ${left} are left now. Try again in ${retryAfterSeconds} seconds.`;
  throw new ServiceError("rate_limit_exceeded", message, { retryAfterSeconds });
}
