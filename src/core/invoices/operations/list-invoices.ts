import { z } from "zod";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { operation, RECEIVABLES_READ, type RunContext } from "../../gate/operation.ts";
import { type ListedPage, listPage, Pagination, withTotals } from "../../gate/pagination.ts";
import { formatStored } from "../../kernel/money.ts";
import { validationFailed } from "../../kernel/validation.ts";
import type { InInstants } from "../../kernel/wire-types.ts";
import { assertOfToday, businessDay } from "../../workspace/business-day-queries.ts";
import { filterInstants } from "../../workspace/days-in-filters.ts";
import { invoiceOnWire } from "../invoice-on-wire.ts";
import { INVOICE_FILTERS } from "../list-filters.ts";
import { fewInRange, type InvoiceRecord, matchingInvoices } from "../list-queries.ts";
import { Invoice, InvoiceTotal } from "../schema.ts";
import { InvoiceSort, rankedPage, ranksByFigures } from "../sort-queries.ts";
import { invoiceTotals } from "../total-queries.ts";

const id = "listInvoices";

const Input = z.strictObject({
  ...INVOICE_FILTERS,
  sort: InvoiceSort,
  ...LIST_PARAMETERS,
  order: z.enum(["asc", "desc"]).optional().describe("By creation time; `desc` when left out"),
  include_total: z.boolean().default(false).describe("Also count and add up all matching rows"),
});

/** service.md §4.4, completions §10. */
export const listInvoices = operation({
  id,
  tag: "Invoices",
  summary: "List invoices",
  description:
    "Newest first, or as `sort` says. Filters combine freely. `overdue_outstanding` is what aging counts as overdue of an invoice today. With `include_total`, `totals` add all matching invoices up, each currency by itself. Age by `collection_due_date`, never by `due_date`; invoices without one are left out under a due filter, and both its ends are inclusive. A due filter selects whole invoices, with installments that are not due yet: never sum amounts under it; what is due or overdue is in `/v1/aging/summary`. `inactive` is neither unpaid nor written off. To total what is owed and collectible, take `collection_outstanding` of `collection_status=open` without a due filter. Polling with the newest `updated_at` as `updated_since` returns that row again and misses none; of several pages, take the newest of the first. Collections do not move it.",
  ...RECEIVABLES_READ,
  input: Input,
  output: z.strictObject({
    data: z.array(Invoice),
    pagination: Pagination,
    totals: z.array(InvoiceTotal).optional().describe("With `include_total`, one per currency"),
  }),
  async run(context, given) {
    const { sort, order } = given;
    if (sort !== "created" && order !== undefined)
      throw validationFailed([{ field: "order", message: `goes with sort=created only, not with ${sort}` }]);
    const [updatedSince] = await filterInstants(context, [given.updated_since]);
    const input = { ...given, updated_since: updatedSince };
    const day = await businessDay(context);
    if (input.include_total || input.overdue !== undefined || ranksByFigures(sort)) assertOfToday(context, day);
    const { rows, pagination, totals } = await pageOf(context, input, day.today);
    return { data: rows.map(invoiceOnWire), pagination, ...(totals === undefined ? {} : { totals }) };
  },
});

type Total = z.output<typeof InvoiceTotal>;

async function pageOf(
  context: RunContext,
  { sort, order, ...input }: InInstants<z.output<typeof Input>>,
  today: string,
): Promise<ListedPage<InvoiceRecord, Total>> {
  const { limit: _, cursor: __, include_total: includeTotal, ...filters } = input;
  const { tx, actor } = context;
  const { tenantId } = actor;
  const totals = async (): Promise<Total[]> =>
    (await invoiceTotals(tx, { tenantId, today }, filters)).map(({ currency, count, ...sums }) => ({
      currency,
      count: Number(count),
      total_amount: formatStored(sums.total_amount, currency),
      collection_outstanding: formatStored(sums.collection_outstanding, currency),
      overdue_outstanding: formatStored(sums.overdue_outstanding, currency),
      amount_collected: formatStored(sums.amount_collected, currency),
    }));
  if (sort !== "created") {
    const page = await rankedPage(context, { operation: id, input: { ...input, sort }, today });
    return includeTotal ? withTotals(page, await totals()) : page;
  }
  return listPage(context, {
    operation: id,
    input: { ...input, order },
    query: matchingInvoices(tx, { tenantId, today }, filters),
    columns: { createdAt: "invoices.created_at", id: "invoices.invoice_id" },
    idOf: (row) => row.invoice_id,
    totals,
    few: {
      all: matchingInvoices(tx, { tenantId, today }, {}),
      test: () => fewInRange(tx, tenantId, filters),
    },
  });
}
