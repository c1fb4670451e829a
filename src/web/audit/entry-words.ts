import type { ObjectLabel } from "../../core/audit-trail/label-objects.ts";
import type { AuditEntry } from "../../core/audit-trail/read-audit-trail.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import { type Html, html, inWords, MAY_BRIEFLY, RECEIPTS, WORKFLOW_NAMES, workflowTypeOf } from "../kit/markup.ts";

/** "Invoice NW-10187, Harbor Foods: 33,409.09 USD, receipt PAY-…". */
export function labelInWords(label: ObjectLabel): string {
  const { name, invoiceId, invoiceNumber, customerName, amount, currency, receiptNumber } = label;
  if (invoiceId === null && name !== null) return name;
  const invoice = invoiceNumber === null ? null : `Invoice ${invoiceNumber}`;
  const debt = [invoice, customerName].filter((part) => part !== null).join(", ");
  const sum = amount === null || currency === null ? amount : readableMoney(amount, currency);
  const parts = [sum, receiptNumber === null ? null : `receipt ${receiptNumber}`];
  return [debt, parts.filter((part) => part !== null).join(", ")].filter((part) => part !== "").join(": ");
}

/** Names of jobs and providers are the service's own words; those of people and keys are shown as they are. */
export function who({ actorKind, actorName }: AuditEntry): string {
  if (actorKind === "operator") return actorName === null ? "Operator" : `Operator ${actorName}`;
  if (actorName === null) return "Unknown";
  const workflow = actorKind === "system" ? workflowTypeOf(actorName) : undefined;
  if (workflow !== undefined) return WORKFLOW_NAMES[workflow];
  return actorKind === "system" || actorKind === "provider" ? inWords(actorName) : actorName;
}

/** What was done: of several links only where there were several. */
export function did({ operation, labels }: AuditEntry): string {
  return inWords(operation === "createPaymentLinks" && labels.length === 1 ? "createPaymentLink" : operation);
}

const STATES = new Map<string, readonly [words: string, ...unknown[]]>(Object.entries(RECEIPTS));

/** What an entry says besides: "Permissions: Dismiss tasks", "Receipt: Failed → Queued". */
export function detailInWords([name, text]: AuditEntry["details"][number]): string {
  if (name === "receipt")
    return `Receipt: ${text.replace(/\w+(?= →)|(?<=→ )\w+/g, (one) => STATES.get(one)?.[0] ?? one)}`;
  if (name !== "scopes") return `${inWords(name)}: ${text}`;
  return `Permissions: ${text
    .split(" ")
    .map((scope) => SCOPES.get(scope) ?? scope)
    .join("; ")}`;
}

const SCOPES: ReadonlyMap<string, string> = new Map(Object.entries(MAY_BRIEFLY));

/** How callers of a kind reach the service. */
export const THROUGH: Readonly<Record<AuditEntry["actorKind"], string>> = {
  api_key: "API key",
  assistant: "Assistant",
  person: "These pages",
  operator: "Terminal",
  system: "The service",
  provider: "Payment provider",
};

/** The kinds of callers, those that people ask for most first. */
export const CALLERS = ["person", "assistant", "api_key", "operator", "system", "provider"] as const;

/** "Assistant" is shown too: a client chooses its own name, which could be any of the words above. */
export function through({ actorKind, clientName }: AuditEntry): Html | string {
  if (clientName !== null) return html`<span class="quiet">Assistant</span><br>${clientName}`;
  return THROUGH[actorKind];
}

/** What a file has of a batch: its parts one after the other. */
const each = (field: Exclude<keyof ObjectLabel, "invoiceId">) => {
  return ({ labels }: AuditEntry): string => labels.flatMap((label) => label[field] ?? []).join("; ");
};

/** The columns of the trail as a file. */
export const AUDIT_FILE: Readonly<Record<string, (entry: AuditEntry) => string | null>> = {
  at: ({ at }) => at,
  who,
  through: ({ actorKind }) => THROUGH[actorKind],
  assistant: ({ clientName }) => clientName,
  operation: did,
  outcome: ({ outcome }) => outcome,
  object_type: ({ objectType }) => objectType,
  object: each("name"),
  invoice_number: each("invoiceNumber"),
  customer_name: each("customerName"),
  amount: each("amount"),
  currency: each("currency"),
  receipt_number: each("receiptNumber"),
  details: ({ details }) => details.map(detailInWords).join("; "),
  object_id: ({ objectId }) => objectId,
  request_id: ({ requestId }) => requestId,
  entry_id: ({ id }) => id,
};
