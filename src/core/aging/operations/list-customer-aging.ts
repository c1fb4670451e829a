import { invalidCursor } from "../../gate/cursor.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { ranksByMoney, unranked } from "../../gate/ranking.ts";
import type { CustomerPlace, CustomerRecord } from "../aging-query.ts";
import { readCustomers } from "../customer-queries.ts";
import { CustomerAgingInput } from "../list-parameters.ts";
import { amountsOnWire, instantOnWire, openReport } from "../report.ts";
import { COUNTED_ROWS, CustomerAging } from "../schema.ts";

const id = "listCustomerAging";

/** service.md §4.10 rule 5: one row for each customer and currency. */
export const listCustomerAging = operation({
  id,
  tag: "Aging",
  summary: "Aging per customer and currency",
  description: `${COUNTED_ROWS} Rows group by currency, largest first inside each; \`limit_per_currency\` takes the first of each currency. A cursor ends with its \`revision\`.`,
  ...RECEIVABLES_READ,
  input: CustomerAgingInput,
  output: CustomerAging,
  async run(context, input) {
    const { sort, limit, limit_per_currency: limitPerCurrency } = input;
    if (limitPerCurrency !== undefined && !ranksByMoney(sort)) throw unranked(sort);
    const report = await openReport(context, id, input);
    const after = report.after && placeOf(report.after);
    const list = await readCustomers(context.tx, report.query, { sort, limit, limitPerCurrency, after });
    const envelope = await report.envelope(list.totals);
    const { rows, pagination } = report.page(list, (row) => [row.currency, row.customer_key]);
    return { ...envelope, data: rows.map(onWire), pagination };
  },
});

function placeOf([currency, customerKey]: readonly string[]): CustomerPlace {
  if (currency === undefined || customerKey === undefined) throw invalidCursor();
  return { currency, customerKey };
}

function onWire({ connection_id: _, ...row }: CustomerRecord) {
  return { ...row, ...amountsOnWire(row, row.currency), as_of: instantOnWire(row.as_of) };
}
