import { z } from "zod";
import { type Core, nowOf } from "../core.ts";
import { notFound } from "../error.ts";
import { lockChargeableCurrencies } from "../invoices/collection-queries.ts";
import { recomputeInvoices } from "../invoices/recompute.ts";
import { recordOperatorAct } from "../operator.ts";
import { cleanText } from "../text.ts";
import { parseInput, Uuid } from "../validation.ts";
import { invoicesWithOtherEmail, setEmailOverride, setInvoicesEmail } from "./queries.ts";

/** An address mail can be sent to, as far as its form tells. */
export const EmailAddress = z
  .string()
  .transform((text) => cleanText(text, 320))
  .pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/, "must be an email address"));

const Input = z.strictObject({ customerId: Uuid, email: EmailAddress.nullable() });

/**
 * Sets the workspace's own billing email of a customer, which wins over the ERP's; null gives way to that again
 * (completions §7). Its invoices follow at once. Throws `not_found`, `validation_failed`.
 */
export async function setCustomerEmail(
  core: Core,
  tenantId: string,
  input: z.input<typeof Input>,
): Promise<{ id: string; email: string | null; invoices_changed: number }> {
  const { customerId, email } = parseInput(Input, input);
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const customer = await setEmailOverride(tx, tenantId, customerId, email);
    if (customer === undefined) throw notFound("customer");
    const effective = customer.email_override ?? customer.email;
    const invoiceIds = await invoicesWithOtherEmail(tx, tenantId, customerId, effective);
    await setInvoicesEmail(tx, tenantId, invoiceIds, effective, nowOf(core));
    await recomputeInvoices(tx, core, tenantId, invoiceIds);
    const act = { operation: "setCustomerEmail", objectType: "customer", objectId: customerId };
    await recordOperatorAct(tx, core, { tenantId, ...act });
    return { id: customerId, email: effective, invoices_changed: invoiceIds.length };
  });
}
