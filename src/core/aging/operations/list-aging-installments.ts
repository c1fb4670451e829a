import { notCollectibleReasons, WHOLE } from "../../collection/not-collectible-reason.ts";
import { invalidCursor } from "../../gate/cursor.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { availableAmount } from "../../invoices/invoice-on-wire.ts";
import { formatMoney, formatStored, type Money, money, ZERO } from "../../kernel/money.ts";
import type { AgingInstallmentRecord, InstallmentPlace } from "../aging-query.ts";
import { bucketOf } from "../buckets.ts";
import { readInstallments } from "../installment-queries.ts";
import { InstallmentAgingInput } from "../list-parameters.ts";
import { instantOnWire, openReport } from "../report.ts";
import { COUNTED_ROWS, InstallmentAging } from "../schema.ts";

const id = "listAgingInstallments";

/** service.md §4.10 rule 6: one row for each installment, or invoice that never had any, by due date. */
export const listAgingInstallments = operation({
  id,
  tag: "Aging",
  summary: "The installments behind the aging",
  description: `${COUNTED_ROWS} By due date, invoice and installment. A cursor ends with its \`revision\`, which neither \`available_amount\` nor a reason after the first moves.`,
  ...RECEIVABLES_READ,
  input: InstallmentAgingInput,
  output: InstallmentAging,
  async run(context, input) {
    const report = await openReport(context, id, input);
    const after = report.after && placeOf(report.after);
    const list = await readInstallments(context.tx, report.query, { limit: input.limit, after });
    const envelope = await report.envelope(list.totals);
    const { rows, pagination } = report.page(list, (row) => [row.invoice_id, row.installment_id ?? ""]);
    return { ...envelope, data: rows.map(onWire), pagination };
  },
});

function placeOf([invoiceId, installmentId]: readonly string[]): InstallmentPlace {
  if (invoiceId === undefined || installmentId === undefined) throw invalidCursor();
  return { invoiceId, installmentId: installmentId === "" ? null : installmentId };
}

function onWire({ facts, ...row }: AgingInstallmentRecord) {
  const [amount, bucket] = [formatStored(row.amount, row.currency), bucketOf(row.days_overdue)];
  const outstanding = money(row.amount);
  // A link is made for an installment, never for an invoice as a whole.
  const available =
    row.installment_id === null ? ZERO : availableAmount(outstanding, facts.live_link_amounts.map(money));
  return {
    ...row,
    amount,
    outstanding: amount,
    available_amount: formatMoney(available, facts.currency),
    bucket,
    not_collectible_reasons: reasonsOf(outstanding, facts),
    as_of: instantOnWire(row.as_of),
  };
}

function reasonsOf(outstanding: Money, { is_chargeable: isChargeable, ...facts }: AgingInstallmentRecord["facts"]) {
  const chargeable = new Set(isChargeable && facts.currency !== null ? [facts.currency] : []);
  return notCollectibleReasons({ retired_at: null, ...facts }, { ...WHOLE, ...facts }, outstanding, chargeable);
}
