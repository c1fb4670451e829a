import { z } from "zod";
import { issuingOperation } from "../issuing/issuing-operation.ts";
import { LINK_FIELDS, PaymentLink } from "../schema.ts";
import { askedLink } from "./create-payment-link.ts";

/** service.md §8. */
export const MAX_LINKS_AT_ONCE = 12;

/** 1 to 12 links at once, all or none (completions §5); links on one installment share what is available. */
export const createPaymentLinks = issuingOperation({
  id: "createPaymentLinks",
  summary: "Create several payment links, or none",
  description:
    "All are created or none; `details[].field` of an error names the link, as in `links[3].amount_minor`. Links on one installment share what is available, in their order.",
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
