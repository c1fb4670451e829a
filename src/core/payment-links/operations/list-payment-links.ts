import { z } from "zod";
import { ROUTE_CALLERS } from "../../gate/actor.ts";
import { examplePage } from "../../gate/example-book.ts";
import { KEY_LINK, MAILED_LINK, PAID_LINK } from "../../gate/example-links.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS, listPage, Pagination } from "../../shared/page.ts";
import { matchingLinks } from "../queries.ts";
import { LINK_FILTERS, PaymentLink } from "../schema.ts";
import { linkOnWire } from "../wire.ts";

const id = "listPaymentLinks";

/** completions §5. */
export const listPaymentLinks = operation({
  id,
  tag: "Payment links",
  summary: "List payment links",
  description:
    "Newest first. Filters combine freely. `paid_at` is set when the link is `paid`, by the provider's clock, and is that of its payment; `deactivated_at` when it is `deactivated`. `email` is there where a workflow scheduled one.",
  example: { answer: examplePage(KEY_LINK, MAILED_LINK, PAID_LINK), parameters: { status: KEY_LINK.status } },
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ...LINK_FILTERS, ...LIST_PARAMETERS }),
  output: z.strictObject({ data: z.array(PaymentLink), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => matchingLinks(db, value("tenantId"), input),
      columns: { createdAt: "payment_links.created_at", id: "payment_links.payment_link_id" },
      idOf: (row) => row.payment_link_id,
    });
    return { data: rows.map(linkOnWire), pagination };
  },
});
