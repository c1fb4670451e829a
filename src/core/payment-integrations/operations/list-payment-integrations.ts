import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation } from "../../gate/operation.ts";
import { integrationsQuery } from "../../provider-access/integration-queries.ts";
import { integrationOnWire, PaymentIntegration } from "../../provider-access/schema.ts";

/** completions §5; never a key or an account. */
export const listPaymentIntegrations = operation(
  listing({
    id: "listPaymentIntegrations",
    tag: "Payment links",
    summary: "List payment integrations",
    description:
      "The payment providers of the workspace and what each can charge. Newest first. `livemode` is true where real money moves, and false with a test key or the sandbox: links of such an integration cannot be paid with real money.",
    ...RECEIVABLES_READ,
    input: z.strictObject(LIST_PARAMETERS),
    row: PaymentIntegration,
    query: integrationsQuery,
    columns: { createdAt: "payment_integrations.created_at", id: "payment_integrations.payment_integration_id" },
    onWire: integrationOnWire,
  }),
);
