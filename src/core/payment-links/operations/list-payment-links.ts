import { z } from "zod";
import { amountTotals } from "../../gate/amount-total-queries.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { operation, RECEIVABLES_READ } from "../../gate/operation.ts";
import { listPage, Pagination } from "../../gate/pagination.ts";
import { Nearest } from "../../gate/search-queries.ts";
import { AmountTotal } from "../../kernel/amount-totals.ts";
import { assertInOrder } from "../../kernel/validation.ts";
import { inInstants } from "../../workspace/days-in-filters.ts";
import { LINK_FILTERS, linkOnWire, matchingLinks } from "../list-queries.ts";
import { PaymentLink } from "../schema.ts";

const id = "listPaymentLinks";

/** completions §5. */
export const listPaymentLinks = operation({
  id,
  tag: "Payment links",
  summary: "List payment links",
  description:
    "Newest first. Filters combine freely. `updated_since` with `pagination.as_of` of the last walk returns what changed since, and misses none: `updated_at` moves with every field shown. With `include_total`, `totals` add all matching links up, each currency by itself. `paid_at` is set when the link is `paid`, by the provider's clock, and is that of its payment; `deactivated_at` when it is `deactivated`. `email` is there where a workflow scheduled one; its `send_at` is between `email_send_from` and `email_send_before`, so that `email_status=scheduled` with one day and the next finds what goes out on a day. A `failed` email says why in `error`: no mail server took it for a day, or it was rejected; it goes out again once the customer's billing email changes, or when a person schedules it on the link's page.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ ...LINK_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({
    data: z.array(PaymentLink),
    pagination: Pagination,
    totals: z.array(AmountTotal).optional().describe("With `include_total`, one per currency"),
    nearest: Nearest,
  }),
  async run(context, given) {
    const input = await inInstants(context, given);
    assertInOrder(input, "email_send_from", "email_send_before");
    const query = matchingLinks(context.tx, context.actor.tenantId, input);
    const { rows, ...page } = await listPage(context, {
      operation: id,
      input,
      query,
      columns: { createdAt: "payment_links.created_at", id: "payment_links.payment_link_id" },
      idOf: (row) => row.payment_link_id,
      totals: () => amountTotals(context.tx, query, "payment_links"),
    });
    return { data: rows.map(linkOnWire), ...page };
  },
});
