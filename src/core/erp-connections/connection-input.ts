import { z } from "zod";
import { erpProviders } from "../../gateways/erp/index.ts";
import { isErpAddress } from "../erp-access/address.ts";
import { PaymentPushMode, ReceiptApplyMode, SyncInterval } from "../erp-access/schema.ts";
import { PlainDate, Uuid } from "../kernel/wire-types.ts";

const DEFAULT_INTERVAL_MINUTES = 60;
const DEFAULT_RECEIPT_METHOD = "Payment Link";

const Address = z
  .string()
  .max(500)
  .refine(isErpAddress, "must be an http or https address without a user name, query or fragment");

/** What an operator says of a connection; each is read as here, wherever it comes from. */
export const ErpConnectionInput = {
  provider: z.enum(erpProviders),
  url: Address,
  username: z.string().trim().min(1, "must not be empty").max(200),
  password: z.string().min(1).max(1000),
  /** Oldest invoice date imported; null is no limit. */
  pullFrom: PlainDate.nullable(),
  applyMode: ReceiptApplyMode,
  /** The way of payment that receipts name; one of those the ERP's users have set up. */
  receiptMethod: z.string().trim().min(1, "must not be empty").max(30),
  /** Whether contacts' names are taken over (service.md §2.4). */
  contactName: z.boolean(),
  /** Off refuses every pull, manual ones too. */
  sync: z.boolean(),
  autoSync: z.boolean(),
  intervalMinutes: SyncInterval,
  paymentPushMode: PaymentPushMode,
};

/** Whether the ERP is asked before the connection is kept: not, or so that it is refused or kept with what the ERP said. */
const AccessCheck = z.enum(["no", "refuse", "keep"]);

/** Confirms that an ERP is connected once more, as a user who sees other invoices. */
const SameErp = z.boolean().default(false);

/** A new connection. */
export const Connect = z.strictObject({
  provider: ErpConnectionInput.provider,
  url: ErpConnectionInput.url,
  username: ErpConnectionInput.username,
  password: ErpConnectionInput.password,
  pullFrom: ErpConnectionInput.pullFrom.default(null),
  applyMode: ErpConnectionInput.applyMode.default("rest_action"),
  receiptMethod: ErpConnectionInput.receiptMethod.default(DEFAULT_RECEIPT_METHOD),
  contactName: ErpConnectionInput.contactName.default(true),
  sync: ErpConnectionInput.sync.default(true),
  autoSync: ErpConnectionInput.autoSync.default(true),
  intervalMinutes: ErpConnectionInput.intervalMinutes.default(DEFAULT_INTERVAL_MINUTES),
  check: AccessCheck.default("no"),
  sameErp: SameErp,
});
/** A new credential for one. */
export const Reconnect = z.strictObject({
  connectionId: Uuid,
  url: ErpConnectionInput.url.optional(),
  username: ErpConnectionInput.username.optional(),
  password: ErpConnectionInput.password,
  check: AccessCheck.exclude(["keep"]).default("no"),
  sameErp: SameErp,
  /** Confirms that the invoices at a new address are those of the old one. */
  sameInvoices: z.boolean().default(false),
});
/** Other settings; what is left out stays. */
export const ConnectionSettings = z.strictObject({
  connectionId: Uuid,
  ...z.object(ErpConnectionInput).omit({ provider: true, url: true, username: true, password: true }).partial().shape,
});
