import { z } from "zod";
import { Instant, PlainDate, Uuid } from "../shared/wire-types.ts";
import { ErpConnectionStatus } from "./connection-status.ts";

/** service.md §2.2: never credentials, hosts or configuration. */
export const ErpConnection = z.strictObject({
  id: Uuid,
  provider: z.enum(["oracle_fusion"]),
  status: ErpConnectionStatus,
  last_sync_at: Instant.nullable().describe("Last finished run, with any outcome"),
  last_successful_sync_at: Instant.nullable().describe("Judge freshness by this"),
  auto_sync_enabled: z.boolean(),
  auto_sync_interval_minutes: z.int().min(10).max(1440),
  pull_invoice_date_from: PlainDate.nullable().describe("Oldest invoice date imported"),
  created_at: Instant,
});
