import { z } from "zod";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../core/payment-integrations/operations/forget-integration.ts";
import { rotateWebhookSecret } from "../../core/payment-integrations/operations/rotate-webhook-secret.ts";
import { countPayableLinks, listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { requestEventReading } from "../../core/payments/events/read-events.ts";
import { readProviderEvents } from "../../jobs/read-provider-events.ts";
import { type Command, flags, toggle, workspaceCommand } from "../command.ts";
import { choiceOf, SecretLine, YesToPlan } from "../inputs.ts";
import { connectedNote, disconnectedNote, forgottenNote, NOTHING_TO_READ, rotatedNote } from "./integration-results.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const ProviderOption = choiceOf("stripe", "sandbox").register(flags, {
  value: "stripe|sandbox",
  description: "kind of payment provider",
});

const SecondLine = z
  .string()
  .trim()
  .regex(/^whsec_/, "must have the webhook secret as its second line, which starts with whsec_");
const SecretKey = z
  .string()
  .transform((text) => text.trim().split(/\r?\n/))
  .pipe(z.tuple([z.string(), SecondLine], "must be two lines: the secret key and the webhook secret"))
  .transform(([secretKey, webhookSecret]) => ({ secretKey, webhookSecret }))
  .pipe(IntegrationInput.keys)
  .optional()
  .register(flags, {
    value: null,
    stdin: true,
    lines: ["secret key", "webhook secret"],
    description: "stripe: read its secret key and its webhook secret from standard input, a line each",
  });

const IntegrationOption = z
  .guid("must be the id of an integration")
  .optional()
  .register(flags, { value: "ID", description: "the integration, where the workspace has several of the provider" });

export const integrationCommands: readonly Command[] = [
  workspaceCommand("integration connect", {
    summary: "connect a payment provider; what it can charge becomes collectible",
    input: z.strictObject({
      provider: ProviderOption,
      secret_key: SecretKey,
      api_base: IntegrationInput.apiBase
        .optional()
        .register(flags, { value: "URL", description: "stripe: where its API is reached, for a proxy or simulator" }),
      currencies: z
        .string()
        .transform((text) => text.split(",").map((code) => code.trim()))
        .pipe(IntegrationInput.currencies)
        .register(flags, { value: "USD,EUR", description: "ISO 4217 codes of what it charges" }),
      yes: YesToPlan,
    }),
    async run(
      { tenantId, operate, publicUrl, confirmed },
      { secret_key: keys, api_base: apiBase, yes, ...integration },
    ) {
      const given = { ...integration, keys, apiBase, confirmed: yes ?? confirmed };
      const made = await operate(connectIntegration, given);
      const address = { webhook_address: `${publicUrl}/webhooks/stripe/${tenantId}` };
      return { ...made, ...(made.provider === "stripe" ? address : {}) };
    },
    show: shownWithPlan,
    note: connectedNote,
  }),
  workspaceCommand("integration disconnect", {
    summary: "disconnect a payment provider",
    input: z.strictObject({ provider: ProviderOption }),
    async run({ core, tenantId, operate }, { provider }) {
      const left = await operate(disconnectIntegration, { provider });
      return { ...left, links_still_payable: await countPayableLinks(core, tenantId, left.id) };
    },
    note: disconnectedNote,
  }),
  workspaceCommand("integration rotate-webhook-secret", {
    summary: "take another webhook secret; the one so far stays good for 24 hours",
    input: z.strictObject({
      provider: ProviderOption,
      integration: IntegrationOption,
      webhook_secret: SecretLine.register(flags, {
        value: null,
        stdin: true,
        lines: ["new webhook secret"],
        description: "read the new webhook secret from standard input",
      }),
    }),
    run: ({ operate }, { webhook_secret: webhookSecret, ...which }) =>
      operate(rotateWebhookSecret, { ...which, webhookSecret }),
    note: rotatedNote,
  }),
  workspaceCommand("integration forget", {
    summary: "forget a disconnected payment provider: no payment through its links is recorded any more",
    input: z.strictObject({
      provider: ProviderOption,
      integration: IntegrationOption,
      yes: toggle("even while customers have links that can be paid, which it withdraws"),
    }),
    run: ({ operate }, { yes: confirmed = false, ...which }) => operate(forgetIntegration, { ...which, confirmed }),
    note: forgottenNote,
  }),
  workspaceCommand("integration read-events", {
    summary: "read the providers' lists of events now, as the service does every 15 minutes",
    input: z.strictObject({}),
    async run({ core, tenantId, signal }) {
      await requestEventReading(core, { tenantId });
      const readings = await readProviderEvents(core, { tenantId, signal });
      return readings.map(({ paymentIntegrationId: integration, ...reading }) => ({ integration, ...reading }));
    },
    show: (result) => (Array.isArray(result) && result.length === 0 ? NOTHING_TO_READ : null),
  }),
  workspaceCommand("integration list", {
    summary: "the payment integrations of a workspace",
    input: z.strictObject({}),
    run: ({ core, tenantId }) => listIntegrations(core, tenantId),
  }),
];
