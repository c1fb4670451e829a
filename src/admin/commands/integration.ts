import { z } from "zod";
import { operate } from "../../core/gate/operator.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { forgetIntegration } from "../../core/payment-integrations/operations/forget-integration.ts";
import { rotateWebhookSecret } from "../../core/payment-integrations/operations/rotate-webhook-secret.ts";
import { countPayableLinks, listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { readProviderEventsNow } from "../../jobs/read-provider-events.ts";
import { type Command, command, flags } from "../command.ts";
import { choiceOf, SecretLine, WorkspaceOption, YesToPlan } from "../inputs.ts";
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
  command({
    noun: "integration",
    verb: "connect",
    summary: "connect a payment provider; what it can charge becomes collectible",
    input: z.strictObject({
      workspace: WorkspaceOption,
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
    async run({ core, publicUrl, confirmed }, { workspace, secret_key: keys, api_base: apiBase, yes, ...integration }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      const given = { ...integration, keys, apiBase, confirmed: yes ?? confirmed };
      const made = await operate(core, tenantId, connectIntegration, given);
      const address = { webhook_address: `${publicUrl}/webhooks/stripe/${tenantId}` };
      return { ...made, ...(made.provider === "stripe" ? address : {}) };
    },
    show: shownWithPlan,
    note: connectedNote,
  }),
  command({
    noun: "integration",
    verb: "disconnect",
    summary: "disconnect a payment provider",
    input: z.strictObject({ workspace: WorkspaceOption, provider: ProviderOption }),
    async run({ core }, { workspace, provider }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      const left = await operate(core, tenantId, disconnectIntegration, { provider });
      return { ...left, links_still_payable: await countPayableLinks(core, tenantId, left.id) };
    },
    note: disconnectedNote,
  }),
  command({
    noun: "integration",
    verb: "rotate-webhook-secret",
    summary: "take another webhook secret; the one so far stays good for 24 hours",
    input: z.strictObject({
      workspace: WorkspaceOption,
      provider: ProviderOption,
      integration: IntegrationOption,
      webhook_secret: SecretLine.register(flags, {
        value: null,
        stdin: true,
        lines: ["new webhook secret"],
        description: "read the new webhook secret from standard input",
      }),
    }),
    async run({ core }, { workspace, webhook_secret: webhookSecret, ...which }) {
      const { id } = await findWorkspace(core, workspace);
      return operate(core, id, rotateWebhookSecret, { ...which, webhookSecret });
    },
    note: rotatedNote,
  }),
  command({
    noun: "integration",
    verb: "forget",
    summary: "forget a disconnected payment provider: no payment through its links is recorded any more",
    input: z.strictObject({
      workspace: WorkspaceOption,
      provider: ProviderOption,
      integration: IntegrationOption,
      yes: z.boolean().default(false).register(flags, {
        value: null,
        description: "even while customers have links that can be paid, which it withdraws",
      }),
    }),
    async run({ core }, { workspace, yes: confirmed, ...which }) {
      return operate(core, (await findWorkspace(core, workspace)).id, forgetIntegration, { ...which, confirmed });
    },
    note: forgottenNote,
  }),
  command({
    noun: "integration",
    verb: "read-events",
    summary: "read the providers' lists of events now, as the service does every 15 minutes",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core, signal }, { workspace }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      const readings = await readProviderEventsNow(core, tenantId, signal);
      return readings.map(({ paymentIntegrationId: integration, ...reading }) => ({ integration, ...reading }));
    },
    show: (result) => (Array.isArray(result) && result.length === 0 ? NOTHING_TO_READ : null),
  }),
  command({
    noun: "integration",
    verb: "list",
    summary: "the payment integrations of a workspace",
    input: z.strictObject({ workspace: WorkspaceOption }),
    async run({ core }, { workspace }) {
      return listIntegrations(core, (await findWorkspace(core, workspace)).id);
    },
  }),
];
