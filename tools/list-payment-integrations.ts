import { listPaymentIntegrations } from "../src/core/payment-integrations/operations/list-payment-integrations.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_payment_integrations",
  title: "List payment integrations",
  description:
    "Payment providers: which are connected, and the currencies each can charge. `sandbox`, and any without `livemode`, take no real money.",
  operation: listPaymentIntegrations,
});
