import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { examplePage, INTEGRATION } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { integrationsQuery } from "../integration-queries.ts";
import { integrationOnWire, PaymentIntegration } from "../schema.ts";

const id = "listPaymentIntegrations";

/** completions §5; never a key or an account. */
export const listPaymentIntegrations = operation({
  id,
  tag: "Payment links",
  summary: "List payment integrations",
  description:
    "The payment providers of the workspace and what each can charge. Newest first. `livemode` is true where real money moves, and false with a test key or the sandbox: links of such an integration cannot be paid with real money.",
  example: { answer: examplePage(INTEGRATION) },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject(LIST_PARAMETERS),
  output: z.strictObject({ data: z.array(PaymentIntegration), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => integrationsQuery(db, value("tenantId")),
      columns: { createdAt: "payment_integrations.created_at", id: "payment_integrations.payment_integration_id" },
      idOf: (row) => row.payment_integration_id,
    });
    return { data: rows.map((row) => integrationOnWire(context.core, row)), pagination };
  },
});
