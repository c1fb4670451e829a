import type { Command, Nouns } from "../command.ts";
import { erpCommands } from "./erp.ts";
import { integrationCommands } from "./integration.ts";
import { receivablesNouns } from "./receivables.ts";
import { serviceNouns } from "./service.ts";
import { workflowCommands } from "./workflow.ts";
import { workspaceNouns } from "./workspace.ts";

/** Nouns in the order of the help: what they are about, and their commands. */
export const NOUNS: Nouns = {
  ...workspaceNouns,
  erp: ["connections to ERPs, and pulls", erpCommands],
  integration: ["payment providers", integrationCommands],
  ...receivablesNouns,
  workflow: ["what runs by itself after a delivery: tasks, and payment links by mail", workflowCommands],
  ...serviceNouns,
};

export const COMMANDS: readonly Command[] = Object.values(NOUNS).flatMap(([, commands]) => commands);
