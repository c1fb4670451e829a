import { z } from "zod";
import { operation } from "../../gate/operation.ts";
import { issuing } from "../issuing/issuing.ts";
import type { AskedLink } from "../issuing/locked-book.ts";
import { LINK_FIELDS, PaymentLink } from "../schema.ts";

const SingleLink = z.strictObject(LINK_FIELDS);

/** What one link of the input asks for. */
function askedLink({
  invoice_id: invoiceId,
  installment_id: installmentId,
  amount_minor: amountMinor,
}: z.output<typeof SingleLink>): AskedLink {
  return { invoiceId, installmentId, amountMinor: amountMinor === undefined ? null : BigInt(amountMinor) };
}

/** service.md §4.11; the rules of completions §5 and §9. */
export const createPaymentLink = operation(
  issuing({
    id: "createPaymentLink",
    summary: "Create a payment link",
    description:
      "For one installment: `amount_minor` or, where it is left out, all that is available, which is the installment's `collection_outstanding` less its live links. An outstanding amount finer than the minor unit is rounded down. An installment holds at most 12 live links: one more is a `conflict` that names them.",
    sideEffects:
      "A payment link is made at the payment provider, which anybody who has it can pay; the invoice's open task becomes configured. Nothing is sent to the customer.",
    input: SingleLink,
    output: PaymentLink,
    asked: (input) => [askedLink(input)],
    fieldName: (_index, field) => field,
    answer([link]) {
      if (link === undefined) throw new Error("one link was asked for");
      return link;
    },
  }),
);

/** service.md §8. */
export const MAX_LINKS_AT_ONCE = 12;

/** 1 to 12 links at once, all or none (completions §5); links on one installment share what is available. */
export const createPaymentLinks = operation(
  issuing({
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
  }),
);
