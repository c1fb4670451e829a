import { z } from "zod";
import { erpProviders } from "../../gateways/erp/index.ts";
import { describeSpelling, Instant, nameSchemas, PlainDate, Uuid } from "../kernel/wire-types.ts";
import { ErpConnectionStatus } from "./connection-status.ts";

/** Minutes between two automatic pulls (service.md §8). */
export const SyncInterval = z.int().min(10).max(1440);
/** Whether receipts are pushed when their payment is confirmed, or kept until somebody pushes them (completions §5). */
export const PaymentPushMode = z.enum(["automatic", "held"]);
/** How receipts are applied in the ERP (completions §7). */
export const ReceiptApplyMode = z.enum(["rest_action", "automatch"]);

/** service.md §2.2: never credentials, hosts or configuration. */
export const ErpConnection = z.strictObject({
  id: Uuid,
  name: describeSpelling(z.string(), "Given by a person, or provider and business units"),
  provider: z.enum(erpProviders),
  status: ErpConnectionStatus,
  last_sync_at: Instant.nullable().describe("Last finished run"),
  last_successful_sync_at: Instant.nullable().describe("Judge freshness by this"),
  auto_sync_enabled: z.boolean(),
  auto_sync_interval_minutes: SyncInterval,
  pull_invoice_date_from: PlainDate.nullable(),
  payment_push_mode: PaymentPushMode,
  created_at: Instant,
});

nameSchemas({ ErpConnection, ErpConnectionStatus, ErpProvider: ErpConnection.shape.provider, PaymentPushMode });
