import { z } from "zod";
import { askedLink } from "./create-payment-link.ts";
import { issuingOperation } from "./issuing-operation.ts";
import { LINK_FIELDS, MAX_LINKS_AT_ONCE, PaymentLink } from "./schema.ts";

/** 1 to 12 links at once, all or none (completions §5); links on one installment share what is available. */
export const createPaymentLinks = issuingOperation({
  id: "createPaymentLinks",
  sideEffects:
    "Payment links are made at the payment provider, all or none, which anybody who has them can pay; the invoices' open tasks become configured. Nothing is sent to the customers.",
  input: z.strictObject({
    links: z.array(z.strictObject(LINK_FIELDS)).min(1).max(MAX_LINKS_AT_ONCE).describe("1 to 12 links"),
  }),
  output: z.strictObject({ data: z.array(PaymentLink) }),
  asked: ({ links }) => links.map(askedLink),
  fieldName: (index, field) => `links[${index}].${field}`,
  answer: (links) => ({ data: [...links] }),
});
