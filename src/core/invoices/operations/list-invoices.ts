import { z } from "zod";
import { LIST_PARAMETERS, SortOrder } from "../../gate/list-parameters.ts";
import { operation, RECEIVABLES_READ, type RunContext } from "../../gate/operation.ts";
import { type ListedPage, listPage, Pagination, withTotals } from "../../gate/pagination.ts";
import { ranksByMoney, unranked } from "../../gate/ranking.ts";
import { Nearest } from "../../gate/search-queries.ts";
import { assertInOrder, validationFailed } from "../../kernel/validation.ts";
import { type InInstants, nameSchemas } from "../../kernel/wire-types.ts";
import { assertOfToday, type BusinessDay, businessDay } from "../../workspace/business-day-queries.ts";
import { inInstants } from "../../workspace/days-in-filters.ts";
import { installmentOnWire, invoiceOnWire } from "../invoice-on-wire.ts";
import { INVOICE_FILTERS } from "../list-filters.ts";
import { countInRange, type InvoiceRecord, installmentsOfInvoices, matchingInvoices } from "../list-queries.ts";
import { Invoice, InvoiceTotal } from "../schema.ts";
import { InvoiceSort, rankedPage } from "../sort-queries.ts";
import { invoiceTotals, type Total } from "../total-queries.ts";

const id = "listInvoices";

/** Most invoices of a page with installments. */
const MOST_WITH_INSTALLMENTS = 25;

const Input = z.strictObject({
  ...INVOICE_FILTERS,
  sort: InvoiceSort,
  limit_per_currency: z.int().min(1).max(100).optional().describe("Of a ranking by amount"),
  include: z.enum(["installments"]).optional().describe(`Then at most ${MOST_WITH_INSTALLMENTS} a page`),
  ...LIST_PARAMETERS,
  order: SortOrder.optional().describe("By creation time; `desc` when left out"),
  include_total: z.boolean().default(false).describe("Also count and add up all matching rows"),
});
nameSchemas({ InvoiceInclude: Input.shape.include.unwrap(), InvoiceSort: InvoiceSort.unwrap() });

/** service.md §4.4, completions §10. */
export const listInvoices = operation({
  id,
  tag: "Invoices",
  summary: "List invoices",
  description:
    "Newest first, or as `sort` says; where it ranks amounts, `limit_per_currency` takes the first of each currency. Filters combine freely. A `search` without a match answers `nearest` customers. `available_amount` is what payment links could still be made for: of each collectible installment what its live links leave. `overdue_outstanding` is what aging counts as overdue of an invoice today. With `include_total`, `totals` add all matching invoices up, each currency by itself.\n\nAge by `collection_due_date`, never by `due_date`; invoices without one are left out under a due filter, and both its ends are inclusive. A due filter selects whole invoices, with installments that are not due yet: never sum amounts under it; what is due or overdue is in `/v1/aging/summary`. `inactive` may still be owed. To total what is owed and collectible, take `collection_outstanding` of `collection_status=open` without a due filter.\n\n`updated_since` and `collection_updated_since` with `pagination.as_of` of the last walk return what changed since, and miss none: `updated_at` moves with what the ERP or a person changes, also with `voided_at` and `settled_elsewhere`, which only the read of one invoice has; `collection_updated_at` with `collection_status`, `collection_outstanding`, `available_amount`, `amount_collected`, `erp_push_state`, `has_held_payment`, `has_active_payment_link` and `collection_due_date`, and of an installment with `collection_outstanding`, `available_amount`, `collectible` and `not_collectible_reason`. Neither moves with `overdue_outstanding` or `last_synced_at`.",
  ...RECEIVABLES_READ,
  input: Input,
  output: z.strictObject({
    data: z.array(Invoice),
    pagination: Pagination,
    totals: z.array(InvoiceTotal).optional().describe("With `include_total`, one per currency"),
    nearest: Nearest,
  }),
  async run(context, given) {
    assertFitting(given);
    const { include, ...input } = await inInstants(context, given);
    const day = await businessDay(context);
    const { include_total: withTotal, overdue, min_overdue: minOverdue, sort } = input;
    if (withTotal || overdue !== undefined || minOverdue !== undefined || ranksByMoney(sort))
      assertOfToday(context, day);
    const { rows, ...page } = await pageOf(context, input, day);
    const parts = include === undefined ? null : await installmentsByInvoice(context, rows);
    return { data: rows.map((row) => listedInvoice(row, parts)), ...page };
  },
});

/** Throws `validation_failed` for parameters that do not go together. */
function assertFitting(given: z.output<typeof Input>) {
  const { sort, order, limit, include } = given;
  if (sort !== "created" && order !== undefined)
    throw validationFailed([{ field: "order", message: `goes with sort=created only, not with ${sort}` }]);
  if (given.limit_per_currency !== undefined && !ranksByMoney(sort)) throw unranked(sort);
  if (include !== undefined && limit > MOST_WITH_INSTALLMENTS)
    throw validationFailed([
      {
        field: "limit",
        message: `must be at most ${MOST_WITH_INSTALLMENTS} with include=installments, not ${limit}`,
      },
    ]);
  assertInOrder(given, "invoice_date_from", "invoice_date_to", "days");
  assertInOrder(given, "due_after", "due_before", "days");
}

type Part = Awaited<ReturnType<typeof installmentsOfInvoices>>[number];

async function installmentsByInvoice({ tx, actor }: RunContext, rows: readonly InvoiceRecord[]) {
  const ids = rows.map((row) => row.invoice_id);
  const parts = ids.length === 0 ? [] : await installmentsOfInvoices(tx, actor.tenantId, ids);
  return Map.groupBy(parts, (part) => part.invoice_id);
}

function listedInvoice(row: InvoiceRecord, parts: ReadonlyMap<string, Part[]> | null) {
  const invoice = invoiceOnWire(row);
  if (parts === null) return invoice;
  const installments = (parts.get(row.invoice_id) ?? []).map((part) => installmentOnWire(part, row.currency));
  return { ...invoice, installments };
}

async function pageOf(
  context: RunContext,
  { sort, order, ...input }: InInstants<Omit<z.output<typeof Input>, "include">>,
  { today, readUpTo }: BusinessDay,
): Promise<ListedPage<InvoiceRecord, Total>> {
  const { limit: _, cursor: __, include_total: includeTotal, limit_per_currency: ___, ...filters } = input;
  const { tx, actor } = context;
  const { tenantId } = actor;
  const totals = () => invoiceTotals(tx, { tenantId, today }, filters);
  if (sort !== "created") {
    const page = await rankedPage(context, { operation: id, input: { ...input, sort }, today, readUpTo });
    return includeTotal ? withTotals(page, await totals()) : page;
  }
  return listPage(context, {
    operation: id,
    input: { ...input, order },
    query: matchingInvoices(tx, { tenantId, today }, filters),
    columns: { createdAt: "invoices.created_at", id: "invoices.invoice_id" },
    idOf: (row) => row.invoice_id,
    totals,
    readUpTo,
    range: {
      all: matchingInvoices(tx, { tenantId, today }, {}),
      count: () => countInRange(tx, tenantId, filters),
    },
  });
}
