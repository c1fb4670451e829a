import { createHash } from "node:crypto";
import type { AgingTotal } from "./aging-query.ts";

/**
 * The content hash of a report's rows (service.md §2.6). Every row has days overdue, so a new day changes it, except of an empty
 * report.
 */
export function revisionOf(reportDate: string, totals: readonly AgingTotal[]): string {
  const rows = totals.map(({ currency, row_count, digest }) => [currency, row_count, digest]);
  const content = JSON.stringify(rows.length === 0 ? [] : [reportDate, rows]);
  return createHash("sha256").update(content).digest("base64url");
}
