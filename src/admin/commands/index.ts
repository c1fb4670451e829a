import type { Command } from "../command.ts";
import { agingCommands } from "./aging.ts";
import { apiKeyCommands } from "./api-key.ts";
import { assistantCommands } from "./assistant.ts";
import { attentionCommands } from "./attention.ts";
import { backupCommands } from "./backup.ts";
import { customerCommands } from "./customer.ts";
import { erpCommands } from "./erp.ts";
import { integrationCommands } from "./integration.ts";
import { invoiceCommands } from "./invoice.ts";
import { encryptionKeyCommands, signingKeyCommands } from "./keys.ts";
import { mailCommands } from "./mail.ts";
import { memberCommands } from "./member.ts";
import { paymentCommands } from "./payment.ts";
import { pluginCommands } from "./plugin.ts";
import { registryCommands } from "./registry.ts";
import { storeCommands } from "./store.ts";
import { workflowCommands } from "./workflow.ts";
import { workspaceCommands } from "./workspace.ts";

/** All commands. */
export const COMMANDS: readonly Command[] = [
  ...workspaceCommands,
  ...mailCommands,
  ...memberCommands,
  ...assistantCommands,
  ...apiKeyCommands,
  ...erpCommands,
  ...integrationCommands,
  ...paymentCommands,
  ...attentionCommands,
  ...invoiceCommands,
  ...customerCommands,
  ...workflowCommands,
  ...signingKeyCommands,
  ...backupCommands,
  ...storeCommands,
  ...encryptionKeyCommands,
  ...agingCommands,
  ...registryCommands,
  ...pluginCommands,
];

/** The nouns and their descriptions, in the order of the help. */
export const NOUNS: Readonly<Record<string, string>> = {
  workspace: "workspaces (tenants)",
  mail: "how mails to customers look",
  member: "the people of a workspace",
  assistant: "connections through an external issuer that were revoked",
  "api-key": "keys for systems that use the REST API",
  erp: "connections to ERPs, and pulls",
  integration: "payment providers",
  payment: "payments, and their receipts in the ERP",
  attention: "what needs a person",
  invoice: "invoices that exist only in the service",
  customer: "customers",
  "signing-key": "what access tokens are signed with",
  workflow: "what runs by itself after a delivery: tasks, and payment links by mail",
  backup: "everything in the store, in a file",
  store: "where everything lies, and how large it is",
  "encryption-key": "the key that everything secret is stored under",
  plugin: "skills and the address, for assistants' programs",
  registry: "being listed in the MCP registry",
  aging: "the figures that aging reports are read from",
};
