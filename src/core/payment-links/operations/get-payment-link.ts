import { z } from "zod";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { shownLink } from "../list-queries.ts";
import { PaymentLink } from "../schema.ts";

/** completions §5. Throws `not_found`. */
export const getPaymentLink = operation({
  id: "getPaymentLink",
  tag: "Payment links",
  summary: "Read a payment link",
  description: "A link is `active` until it is `paid` or `deactivated`, and both are final.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ payment_link_id: Uuid.describe("Payment link id") }),
  output: PaymentLink,
  run: ({ actor, tx }, { payment_link_id: linkId }) => shownLink(tx, actor.tenantId, linkId),
});
