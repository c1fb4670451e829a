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

const ProviderOption = oneOf("sandbox").register(flags, { value: "sandbox", description: "kind of payment provider" });

export const integrationCommands: readonly Command[] = [
  command({
    noun: "integration",
    verb: "connect",
    summary: "connect a payment provider; what it can charge becomes collectible",
    input: z.strictObject({
      workspace: WorkspaceOption,
      provider: ProviderOption,
      currencies: z
        .string()
        .transform((text) => text.split(",").map((code) => code.trim()))
        .pipe(IntegrationInput.currencies)
        .register(flags, { value: "USD,EUR", description: "ISO 4217 codes of what it charges" }),
    }),
    async run({ core }, { workspace, ...integration }) {
      return connectIntegration(core, (await findWorkspace(core, workspace)).id, integration);
    },
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
