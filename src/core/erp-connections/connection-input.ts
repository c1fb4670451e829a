import { z } from "zod";
import { erpProviders } from "../../gateways/erp/index.ts";
import { isErpAddress } from "../erp-access/address.ts";
import { PaymentPushMode, ReceiptApplyMode, SyncInterval } from "../erp-access/schema.ts";
import { lineOf, PlainDate, Uuid } from "../kernel/wire-types.ts";

const DEFAULT_INTERVAL_MINUTES = 60;
const DEFAULT_RECEIPT_METHOD = "Payment Link";

const Address = z
  .string()
  .max(500)
  .refine(isErpAddress, "must be an http or https address without a user name, query or fragment");

/** What an operator says of a connection; each is read as here, wherever it comes from. */
export const ErpConnectionInput = {
  /** Null is what it is made of: provider and business units. */
  name: lineOf(80).nullable().describe("what people call it"),
  provider: z.enum(erpProviders).describe("kind of ERP"),
  url: Address.describe("address of the ERP"),
  username: lineOf(200).describe("user of the ERP that the service signs in as"),
  password: z.string().min(1).max(1000),
  /** Null is no limit. */
  pullFrom: PlainDate.nullable().describe("oldest invoice date imported, YYYY-MM-DD"),
  applyMode: ReceiptApplyMode.describe("how receipts are applied in the ERP"),
  receiptMethod: lineOf(30).describe("way of payment that receipts name, as the ERP's users have set it up"),
  /** service.md §2.4. */
  contactName: z.boolean().describe("whether names of contacts are taken over"),
  sync: z.boolean().describe("off refuses every pull, manual ones too"),
  autoSync: z.boolean().describe("whether pulls run by themselves"),
  intervalMinutes: SyncInterval.describe("least time between two automatic pulls, 10 to 1440"),
  paymentPushMode: PaymentPushMode.describe("whether receipts are pushed at once or wait for a person"),
};

/** Whether the ERP is asked before the connection is kept: not, or so that it is refused or kept with what the ERP said. */
const AccessCheck = z.enum(["no", "refuse", "keep"]);

const SameErp = z
  .boolean()
  .default(false)
  .describe("connect an ERP that is or was connected already, as a user who sees other invoices");

/** A new connection. */
export const Connect = z.strictObject({
  name: ErpConnectionInput.name.default(null),
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
  sameInvoices: z
    .boolean()
    .default(false)
    .describe("move what was paid and linked to a new address that has the same invoices"),
});
/** Other settings; what is left out stays. */
export const ConnectionSettings = z.strictObject({
  connectionId: Uuid,
  ...z.object(ErpConnectionInput).omit({ provider: true, url: true, username: true, password: true }).partial().shape,
});
