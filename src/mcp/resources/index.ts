import { withoutPolling } from "../../../tools/tool.ts";
import { UNASSIGNED } from "../../core/aging/buckets.ts";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import type { Actor } from "../../core/gate/actor.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { notFound } from "../../core/kernel/error.ts";
import { readText } from "../../core/kernel/read-text.ts";
import { SKILL_FILE, skills } from "../../listing/skills.ts";
import type { CallOperation } from "../feature.ts";
import { type Complete, customerKeys, suggestInvoices } from "../suggestions.ts";

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "text/markdown" | "application/json";
}

/** A resource that is the same for everybody. */
export interface StaticResource extends Described {
  readonly uri: string;
  read(): string;
}

/** A resource of the workspace, read through an operation. */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: `receivables://${string}`;
  /** Completion for each variable of the template. */
  readonly variables: Readonly<Record<string, Complete>>;
  /** Throws ServiceError: `not_found` where the workspace has no such object. */
  read(variables: Readonly<Record<string, string>>, call: CallOperation): Promise<object>;
}

/** The variables of a URI by its template (RFC 6570, simple expansion); null where it does not match. */
export function variablesOf(template: string, uri: string): Record<string, string> | null {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = template
    .split(/\{\w+\}/)
    .map(RegExp.escape)
    .join("([^/?#]+)");
  const values = new RegExp(`^${pattern}$`).exec(uri)?.slice(1);
  if (values === undefined) return null;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Whether a caller may read resources: with the scope that every tool needs. */
export function mayRead(actor: Actor) {
  return actor.kind === "assistant" && actor.scopes.includes("receivables:read");
}

const GUIDE: StaticResource = {
  uri: "receivables://guide",
  name: "guide",
  title: "Reading guide",
  description: "What each figure, date and state means, and what it must not be used for.",
  mimeType: "text/markdown",
  read: () => readText(import.meta.url, "guide.md"),
};

const INVOICE: ResourceTemplate = {
  uriTemplate: "receivables://invoices/{invoice_id}",
  name: "invoice",
  title: "Invoice",
  description: "One invoice with its installments, as get_invoice answers it.",
  mimeType: "application/json",
  variables: { invoice_id: suggestInvoices },
  read: ({ invoice_id = "" }, call) => call(getInvoice, { invoice_id }),
};

const CUSTOMER_AGING: ResourceTemplate = {
  uriTemplate: "receivables://customers/{customer_key}/aging",
  name: "customer_aging",
  title: "Customer aging",
  description:
    "One customer's open installments by due date with exact totals, as list_installment_aging answers them with " +
    "`customer_key` only; while there is a `next_cursor`, the rest is read with that tool.",
  mimeType: "application/json",
  variables: { customer_key: customerKeys },
  async read({ customer_key = "" }, call) {
    const report = await call(listAgingInstallments, { customer_key });
    if (report.data.length === 0) await assertKnown(customer_key, call);
    return withoutPolling(report);
  },
};

/** A customer who owes nothing has an empty report. Throws `not_found` for an unknown customer. */
async function assertKnown(customerKey: string, call: CallOperation) {
  if (customerKey.startsWith(UNASSIGNED)) {
    const invoice = await call(getInvoice, { invoice_id: customerKey.slice(UNASSIGNED.length) });
    if (invoice.customer.id === null) return;
  } else {
    const { data } = await call(listInvoices, { customer_id: customerKey, limit: 1 });
    if (data.length > 0) return;
  }
  throw notFound("customer");
}

/** Skills, for assistants whose people have installed none. */
const SKILLS: readonly StaticResource[] = skills.map(({ name, description, text }) => ({
  uri: `skill://${name}/${SKILL_FILE}`,
  name,
  title: `Skill: ${name.replaceAll("-", " ")}`,
  description,
  mimeType: "text/markdown",
  read: () => text,
}));

/** Resources that are the same for everybody; `openApi` is the description of the REST API. */
export function staticResources(openApi: () => string): readonly StaticResource[] {
  return [
    GUIDE,
    {
      uri: "receivables://openapi.json",
      name: "openapi",
      title: "REST API description",
      description: "OpenAPI 3.1 of the API for systems. Long, and for writing programs: tools need none of it.",
      mimeType: "application/json",
      read: openApi,
    },
    ...SKILLS,
  ];
}

/** Resources of the caller's workspace. */
export const resourceTemplates: readonly ResourceTemplate[] = [INVOICE, CUSTOMER_AGING];
