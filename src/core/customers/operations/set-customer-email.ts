import { z } from "zod";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { dueToExamine } from "../../collection/to-examine-queries.ts";
import { changedSettings } from "../../gate/audit.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { billingEmail, NO_CUSTOMER } from "../../invoices/delivery/delivered-invoice.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { EmailAddress } from "../../kernel/email-address.ts";
import { orNotFound, ServiceError } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { scheduledMessages } from "../../payment-links/emails/link-email-queries.ts";
import { invoicesWithOtherEmail, lockCustomer, setEmailOverride, setInvoicesEmail } from "../queries.ts";

/**
 * Sets the workspace's own billing email of a customer, which wins over the ERP's; null gives way to that again
 * (completions §7). Throws `not_found`, `validation_failed`, and `conflict` where its invoices name no customer.
 */
export const setCustomerEmail = operation({
  id: "setCustomerEmail",
  summary: "Set a customer's billing email, which wins over the ERP's",
  errors: ["conflict"],
  ...SETTINGS_CHANGE,
  sideEffects: "The customer's invoices follow at once.",
  input: z.strictObject({
    customerId: Uuid.describe("customer.id of one of its invoices"),
    email: EmailAddress.nullable().describe('the address; "" goes back to the ERP\'s'),
  }),
  output: z.strictObject({
    id: Uuid,
    email: z.string().nullable(),
    invoices_changed: z.int(),
    mails_planned: z.int(),
    invoices_looked_at: z
      .int()
      .describe("by workflows that are on, from now on: what Auto Generate makes is mailed too"),
  }),
  async run({ tx, actor: { tenantId }, core, now, audit }, { customerId, email }) {
    await lockChargeableCurrencies(tx, tenantId);
    const customer = orNotFound(await lockCustomer(tx, tenantId, customerId), "customer");
    if (customer.erp_customer_id === NO_CUSTOMER && email !== null) throw new ServiceError("conflict", NAMES_NONE);
    await setEmailOverride(tx, tenantId, customerId, email);
    const effective = billingEmail({ ...customer, email_override: email });
    const invoiceIds = await invoicesWithOtherEmail(tx, tenantId, customerId, effective);
    await setInvoicesEmail(tx, tenantId, invoiceIds, effective, now);
    await recomputeInvoices(tx, core, tenantId, invoiceIds);
    const isSame = customer.email_override === email && invoiceIds.length === 0;
    const was = { email: billingEmail(customer), "email set here": customer.email_override };
    const details = changedSettings(was, was.email === effective ? { "email set here": email } : { email: effective });
    audit(isSame ? null : { type: "customer", id: customerId, details });
    const { messages } = await scheduledMessages(tx, tenantId, { customerId });
    return {
      ...{ id: customerId, email: effective, invoices_changed: invoiceIds.length, mails_planned: messages },
      invoices_looked_at: await dueToExamine(tx, tenantId, invoiceIds),
    };
  },
});

const NAMES_NONE =
  "The ERP names no customer for this invoice, and all such invoices are kept as one customer's: their mails would go to this \
address too. Name its customer in the ERP, and sync.";
