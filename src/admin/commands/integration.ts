import { z } from "zod";
import {
  connectIntegration,
  disconnectIntegration,
  IntegrationInput,
  listIntegrations,
} from "../../core/payment-integrations/manage-integrations.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { oneOf, WorkspaceOption } from "../inputs.ts";

const ProviderOption = oneOf("stripe", "sandbox").register(flags, {
  value: "stripe|sandbox",
  description: "kind of payment provider",
});

const SecretKey = z
  .string()
  .transform((text) => text.trim().split(/\r?\n/))
  .pipe(z.tuple([z.string(), z.string()], "must be two lines: the secret key and the webhook secret"))
  .transform(([secretKey, webhookSecret]) => ({ secretKey, webhookSecret }))
  .pipe(IntegrationInput.keys)
  .optional()
  .register(flags, {
    value: null,
    stdin: true,
    lines: ["secret key", "webhook secret"],
    description: "stripe: read its secret key and its webhook secret from standard input, a line each",
  });

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
    }),
    async run({ core }, { workspace, secret_key: keys, api_base: apiBase, ...integration }) {
      const { id: tenantId } = await findWorkspace(core, workspace);
      return connectIntegration(core, tenantId, { ...integration, keys, apiBase });
    },
    note: "Stripe tells of payments at {base_url}/webhooks/stripe/{id}, of this integration or its workspace.",
  }),
  command({
    noun: "integration",
    verb: "disconnect",
    summary: "disconnect a payment provider",
    input: z.strictObject({ workspace: WorkspaceOption, provider: ProviderOption }),
    async run({ core }, { workspace, provider }) {
      return disconnectIntegration(core, (await findWorkspace(core, workspace)).id, { provider });
    },
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
