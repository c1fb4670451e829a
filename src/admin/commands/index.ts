import type { Command } from "../command.ts";
import { agingCommands } from "./aging.ts";
import { apiKeyCommands } from "./api-key.ts";
import { assistantCommands } from "./assistant.ts";
import { attentionCommands } from "./attention.ts";
import { auditCommands } from "./audit.ts";
import { backupCommands } from "./backup.ts";
import { customerCommands } from "./customer.ts";
import { erpCommands } from "./erp.ts";
import { integrationCommands } from "./integration.ts";
import { invoiceCommands } from "./invoice.ts";
import { encryptionKeyCommands, signingKeyCommands } from "./keys.ts";
import { linkCommands } from "./link.ts";
import { mailCommands } from "./mail.ts";
import { memberCommands } from "./member.ts";
import { paymentCommands } from "./payment.ts";
import { registryCommands } from "./registry.ts";
import { workflowCommands } from "./workflow.ts";
import { workspaceCommands } from "./workspace.ts";

/** Nouns in the order of the help: what they are about, and their commands. */
export const NOUNS: Readonly<Record<string, readonly [description: string, commands: readonly Command[]]>> = {
  workspace: ["workspaces (tenants)", workspaceCommands],
  mail: ["how mails to customers look", mailCommands],
  member: ["the people of a workspace", memberCommands],
  assistant: ["what people let assistants do", assistantCommands],
  audit: ["who did what", auditCommands],
  "api-key": ["keys for systems that use the REST API", apiKeyCommands],
  erp: ["connections to ERPs, and pulls", erpCommands],
  integration: ["payment providers", integrationCommands],
  payment: ["payments, and their receipts in the ERP", paymentCommands],
  attention: ["what needs a person", attentionCommands],
  invoice: ["invoices that exist only in the service", invoiceCommands],
  customer: ["customers", customerCommands],
  link: ["payment links", linkCommands],
  "signing-key": ["what access tokens are signed with", signingKeyCommands],
  workflow: ["what runs by itself after a delivery: tasks, and payment links by mail", workflowCommands],
  backup: ["everything in the store, in a file", backupCommands],
  "encryption-key": ["the key that everything secret is stored under", encryptionKeyCommands],
  registry: ["being listed in the MCP registry", registryCommands],
  aging: ["the figures that aging reports are read from", agingCommands],
};

export const COMMANDS: readonly Command[] = Object.values(NOUNS).flatMap(([, commands]) => commands);
