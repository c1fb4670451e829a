import { formatStored } from "../shared/money.ts";
import type { AgingAmounts, AgingTotal, AgingWorkspace } from "./aging-query.ts";

/** What differs from call to call. */
interface Content {
  reportDate: string;
  now: string;
  revision: string;
  totals: readonly AgingTotal[];
}

/** What all three reports say (service.md §2.6). */
export function envelopeOf(workspace: AgingWorkspace, { reportDate, now, revision, totals }: Content) {
  return {
    report_date: reportDate,
    timezone: workspace.timezone,
    generated_at: now,
    balance_basis: "finero_reconciled_current" as const,
    revision,
    currencies: workspace.currencies,
    data_updated_at: workspace.dataUpdatedAt,
    totals: totals.map((total) => ({ currency: total.currency, ...amountsOnWire(total, total.currency) })),
  };
}

/** The amounts of a row as callers see them. */
export function amountsOnWire(amounts: AgingAmounts, currency: string): AgingAmounts {
  const onWire = (amount: string): string => formatStored(amount, currency);
  return {
    outstanding: onWire(amounts.outstanding),
    overdue: onWire(amounts.overdue),
    current: onWire(amounts.current),
    days_1_30: onWire(amounts.days_1_30),
    days_31_60: onWire(amounts.days_31_60),
    days_61_90: onWire(amounts.days_61_90),
    over_90: onWire(amounts.over_90),
  };
}
