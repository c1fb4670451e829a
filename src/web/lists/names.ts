import { z } from "zod";
import { getErpConnection } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import type { WorkspaceVisit } from "../kit/page.ts";

/** What rows say of the objects that id filters select. */
const Named = z.looseObject({
  invoice_number: z.string().nullish(),
  customer_name: z.string().nullish(),
  customer: z.looseObject({ name: z.string().nullable(), number: z.string().nullable() }).optional(),
});

/** What a row calls the object that an id filter selects; null where it does not. */
export function nameInRow(filter: string, row: unknown) {
  const { invoice_number: number, customer_name: name, customer } = Named.parse(row);
  if (filter === "invoice_id") return number ?? null;
  return filter.startsWith("customer") ? (name ?? customer?.name ?? customer?.number ?? null) : null;
}

/** What an ERP or a payment link is called that a list is filtered by; nothing for an unknown id. */
export async function namesOf(
  visit: WorkspaceVisit,
  { connection_id: erp, payment_link_id: link }: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  try {
    if (typeof erp === "string")
      return { connection_id: (await visit.call(getErpConnection, { connection_id: erp })).name };
    if (typeof link !== "string") return {};
    const { amount, currency, status } = await visit.call(getPaymentLink, { payment_link_id: link });
    return {
      payment_link_id: `${readableMoney(amount, currency)}, ${status === "deactivated" ? "withdrawn" : status}`,
    };
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}
