import { counted } from "../../core/kernel/counted.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../core/payment-integrations/operations/forget-integration.ts";
import { rotateWebhookSecret } from "../../core/payment-integrations/operations/rotate-webhook-secret.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { readProviderEventsNow } from "../../jobs/work-off.ts";
import { command } from "../command.ts";
import { inLines, localTime } from "../render.ts";
import { withPlan } from "./workflow-plan.ts";

export const integrationCommands = [
  command("integration connect", connectIntegration, {
    options: { confirmed: "--yes" },
    async run({ tenantId, operate, publicUrl }, given) {
      const made = await operate(connectIntegration, given);
      const address = { webhook_address: `${publicUrl}/webhooks/stripe/${tenantId}` };
      return { ...made, ...(made.provider === "stripe" ? address : {}) };
    },
    show: withPlan,
    note: ({ provider, livemode }) =>
      provider === "sandbox"
        ? "The sandbox is for trying things out: its links open a pay page here, and no money moves."
        : inLines(
            !livemode && "This is a TEST key: no money moves, and live payments are not seen.",
            "At Stripe, under Developers, Webhooks: add an endpoint with webhook_address as its URL and these events:",
            `${STRIPE_EVENT_TYPES.join(", ")}.`,
            "Its signing secret is the webhook secret given here; of another endpoint, replace it: integration rotate-webhook-secret.",
          ),
  }),
  command("integration disconnect", disconnectIntegration, {
    note: ({ links_still_payable: links }) =>
      links === 0
        ? "None of its payment links can be paid any more."
        : `${links} of its payment links can still be paid, and what is paid is recorded. To withdraw them: integration forget --yes.`,
  }),
  command("integration rotate-webhook-secret", rotateWebhookSecret, {
    note: ({ earlier_good_until: until, status }) =>
      inLines(
        "The new webhook secret is good from now on. No link and no payment changes.",
        `What is signed with the earlier one is taken until ${localTime(until, "UTC")}: let Stripe stop using it by then.`,
        status === "disconnected" && "The integration is disconnected: both vouch only for payments by its links.",
      ),
  }),
  command("integration forget", forgetIntegration, {
    options: { confirmed: "--yes" },
    note: ({ links_withdrawn: links }) =>
      inLines(
        "Forgotten: its webhook secret is deleted, and nothing that it tells of is recorded any more.",
        links === 0
          ? "No payment link of it was left to withdraw."
          : `${counted(links, "payment link was", "payment links were")} withdrawn. If somebody has paid by one just now, the money is seen at the provider only.`,
        "Payments that were recorded stay, with their receipts.",
      ),
  }),
  command("integration read-events", readProviderEventsNow, {
    async run({ operate }) {
      const readings = await operate(readProviderEventsNow, {});
      return readings.map(({ paymentIntegrationId: integration, ...reading }) => ({ integration, ...reading }));
    },
    show: (readings) => [readings.length === 0 ? NOTHING_TO_READ : readings],
  }),
  command("integration list", listIntegrations),
];

/** Of a reading that read no provider's list. */
const NOTHING_TO_READ =
  "Nothing was read: the running service is reading it just now, or no connected provider has a list of events. The sandbox has none; what is paid there is recorded at once.";
