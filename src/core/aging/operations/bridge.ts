import { z } from "zod";
import { amountTotals } from "../../gate/amount-total-queries.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { operation, PAGES_READ, SETTINGS_READ } from "../../gate/operation.ts";
import { listPage, Pagination } from "../../gate/pagination.ts";
import { AmountTotal } from "../../kernel/amount-totals.ts";
import { formatStored } from "../../kernel/money.ts";
import { MoneyString, Uuid } from "../../kernel/wire-types.ts";
import { BRIDGE_STEPS, bridgeFigures, invoicesOfStep } from "../bridge-queries.ts";
import { AgingInput } from "../list-parameters.ts";

const BridgeStep = z.enum(BRIDGE_STEPS);

/** From the ERP's balance to what is aged and can be collected, by currency; a step that comes to nothing is left out. */
export const readBridge = operation({
  id: "readBridge",
  summary: "From the ERP's balance, step by step, to what is aged and can be collected",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: z.array(z.strictObject({ currency: z.string(), step: BridgeStep, amount: MoneyString })),
  async run({ tx, actor }) {
    const figures = await bridgeFigures(tx, actor.tenantId);
    return figures.map((figure) => ({ ...figure, amount: formatStored(figure.amount, figure.currency) }));
  },
});

const BridgeRow = z.strictObject({
  invoice_id: Uuid,
  invoice_number: z.string().nullable(),
  customer_name: z.string().nullable(),
  currency: z.string(),
  amount: MoneyString,
});
/** A page of any size costs a read of the whole book, so a file takes large ones. */
export const MOST_BRIDGE_ROWS = 2_000;
const { cursor, include_total } = LIST_PARAMETERS;
const id = "listBridgeInvoices";

/** The invoices of a step, newest first, with what each adds to it. */
export const listBridgeInvoices = operation({
  id,
  summary: "Invoices of a step of the bridge",
  ...PAGES_READ,
  input: z.strictObject({
    step: BridgeStep.default("outstanding"),
    currency: AgingInput.shape.currency,
    limit: z.int().min(1).max(MOST_BRIDGE_ROWS).default(50),
    ...{ cursor, include_total },
  }),
  output: z.strictObject({ data: z.array(BridgeRow), pagination: Pagination, totals: z.array(AmountTotal).optional() }),
  async run(context, input) {
    const { tx, actor } = context;
    const query = invoicesOfStep(tx, actor.tenantId, input);
    const { rows, ...page } = await listPage(context, {
      operation: id,
      input,
      query,
      columns: { createdAt: "invoices.created_at", id: "invoices.invoice_id" },
      idOf: (row) => row.invoice_id,
      totals: () => amountTotals(tx, query, "matched"),
    });
    const data = rows.map(({ created_at: _, ...row }) => ({ ...row, amount: formatStored(row.amount, row.currency) }));
    return { data, ...page };
  },
});
