import { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../core/payment-integrations/operations/forget-integration.ts";
import { rotateWebhookSecret } from "../../core/payment-integrations/operations/rotate-webhook-secret.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { readProviderEventsNow } from "../../jobs/read-provider-events.ts";
import { type Command, option, secret, toggle, workspaceCommand } from "../command.ts";
import { choiceOf, SecretLine, YesToPlan } from "../inputs.ts";
import { localTime } from "../render.ts";
import { shownWithPlan } from "./workflow-plan.ts";

const ProviderOption = option(choiceOf("stripe", "sandbox"), "stripe|sandbox", "kind of payment provider");

const SecondLine = z
  .string()
  .trim()
  .regex(/^whsec_/, "must have the webhook secret as its second line, which starts with whsec_");
const SecretKey = secret(
  z
    .string()
    .transform((text) => text.trim().split(/\r?\n/))
    .pipe(z.tuple([z.string(), SecondLine], "must be two lines: the secret key and the webhook secret"))
    .transform(([secretKey, webhookSecret]) => ({ secretKey, webhookSecret }))
    .pipe(IntegrationInput.keys)
    .optional(),
  "stripe: read its secret key and its webhook secret from standard input, a line each",
  ["secret key", "webhook secret"],
);

const IntegrationOption = option(
  z.guid("must be the id of an integration").optional(),
  "ID",
  "the integration, where the workspace has several of the provider",
);

export const integrationCommands: readonly Command[] = [
  workspaceCommand("integration connect", {
    summary: "connect a payment provider; what it can charge becomes collectible",
    input: z.strictObject({
      provider: ProviderOption,
      secretKey: SecretKey,
      apiBase: option(
        IntegrationInput.apiBase.optional(),
        "URL",
        "stripe: where its API is reached, for a proxy or simulator",
      ),
      currencies: option(
        z
          .string()
          .transform((text) => text.split(",").map((code) => code.trim()))
          .pipe(IntegrationInput.currencies),
        "USD,EUR",
        "ISO 4217 codes of what it charges",
      ),
      yes: YesToPlan,
    }),
    async run({ tenantId, operate, publicUrl, confirmed }, { secretKey: keys, yes, ...integration }) {
      const made = await operate(connectIntegration, { ...integration, keys, confirmed: yes ?? confirmed });
      const address = { webhook_address: `${publicUrl}/webhooks/stripe/${tenantId}` };
      return { ...made, ...(made.provider === "stripe" ? address : {}) };
    },
    show: shownWithPlan,
    note: connectedNote,
  }),
  workspaceCommand("integration disconnect", {
    summary: "disconnect a payment provider",
    input: z.strictObject({ provider: ProviderOption }),
    run: ({ operate }, { provider }) => operate(disconnectIntegration, { provider }),
    note: disconnectedNote,
  }),
  workspaceCommand("integration rotate-webhook-secret", {
    summary: "take another webhook secret; the one so far stays good for 24 hours",
    input: z.strictObject({
      provider: ProviderOption,
      integration: IntegrationOption,
      webhookSecret: secret(SecretLine, "read the new webhook secret from standard input", ["new webhook secret"]),
    }),
    run: ({ operate }, secret) => operate(rotateWebhookSecret, secret),
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
    async run({ core, tenantId, signal }) {
      const readings = await readProviderEventsNow(core, tenantId, signal);
      return readings.map(({ paymentIntegrationId: integration, ...reading }) => ({ integration, ...reading }));
    },
    show: (result) => (Array.isArray(result) && result.length === 0 ? NOTHING_TO_READ : null),
  }),
  workspaceCommand("integration list", {
    summary: "the payment integrations of a workspace",
    run: ({ operate }) => operate(listIntegrations, {}),
  }),
];

const NEXT_AT_STRIPE = `At Stripe, under Developers, Webhooks: add an endpoint with webhook_address as its URL and these events:
${STRIPE_EVENT_TYPES.join(", ")}.
Its signing secret is the webhook secret given here; of another endpoint, replace it: integration rotate-webhook-secret.`;

/** Of a reading that read no provider's list. */
const NOTHING_TO_READ =
  "Nothing was read: the running service is reading it just now, or no connected provider has a list of events. The sandbox has none; what is paid there is recorded at once.";

/** The note after an integration was connected. */
function connectedNote(result: unknown): string {
  const { livemode, provider } = Connected.parse(result);
  if (provider === "sandbox")
    return "The sandbox is for trying things out: its links open a pay page here, and no money moves.";
  return livemode
    ? NEXT_AT_STRIPE
    : `This is a TEST key: no money moves, and live payments are not seen.\n${NEXT_AT_STRIPE}`;
}

const Connected = z.looseObject({ livemode: z.boolean(), provider: z.string() });

/** The note about links that customers have. */
function disconnectedNote(result: unknown): string {
  const { links_still_payable: links } = Disconnected.parse(result);
  if (links === 0) return "None of its payment links can be paid any more.";
  const those = links === 1 ? "1 of its payment links" : `${links} of its payment links`;
  return `${those} can still be paid, and what is paid is recorded. To withdraw them: integration forget --yes.`;
}

const Disconnected = z.looseObject({ links_still_payable: z.int() });

/** Which secrets are valid now. */
function rotatedNote(result: unknown): string {
  const { earlier_good_until: until, status } = Rotated.parse(result);
  return [
    "The new webhook secret is good from now on. No link and no payment changes.",
    `What is signed with the earlier one is taken until ${localTime(until, "UTC")}: let Stripe stop using it by then.`,
    ...(status === "disconnected"
      ? ["The integration is disconnected: both vouch only for payments by its links."]
      : []),
  ].join("\n");
}

const Rotated = z.looseObject({ earlier_good_until: z.string(), status: z.string() });

/** What was removed with an integration, and what stays. */
function forgottenNote(result: unknown): string {
  const { links_withdrawn: links } = Forgotten.parse(result);
  return [
    "Forgotten: its webhook secret is deleted, and nothing that it tells of is recorded any more.",
    links === 0
      ? "No payment link of it was left to withdraw."
      : `${counted(links, "payment link was", "payment links were")} withdrawn. If somebody has paid by one just now, the money is seen at the provider only.`,
    "Payments that were recorded stay, with their receipts.",
  ].join("\n");
}

const Forgotten = z.looseObject({ links_withdrawn: z.int() });
