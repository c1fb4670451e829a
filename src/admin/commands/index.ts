import type { Command } from "../command.ts";
import { erpCommands } from "./erp.ts";
import { integrationCommands } from "./integration.ts";
import { receivablesCommands } from "./receivables.ts";
import { serviceCommands } from "./service.ts";
import { workflowCommands } from "./workflow.ts";
import { workspaceCommands } from "./workspace.ts";

/** Nouns in the order of the help, and what they are about. */
export const NOUNS = {
  workspace: "workspaces (tenants)",
  mail: "how mails to customers look",
  member: "the people of a workspace",
  assistant: "what people let assistants do",
  audit: "who did what",
  "api-key": "keys for systems that use the REST API",
  erp: "connections to ERPs, and pulls",
  integration: "payment providers",
  payment: "payments, and their receipts in the ERP",
  attention: "what needs a person",
  invoice: "invoices that exist only in the service",
  customer: "customers",
  link: "payment links",
  aging: "the figures that aging reports are read from",
  workflow: "what runs by itself after a delivery: tasks, and payment links by mail",
  "signing-key": "what access tokens are signed with",
  backup: "everything in the store, in a file",
  "encryption-key": "the key that everything secret is stored under",
  registry: "being listed in the MCP registry",
};

/** Each named by a noun and a verb, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...workspaceCommands,
  ...erpCommands,
  ...integrationCommands,
  ...receivablesCommands,
  ...workflowCommands,
  ...serviceCommands,
];
