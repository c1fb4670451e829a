import { z } from "zod";
import { AgingSummary, CustomerAging, CustomerAgingRow, InstallmentAgingRow } from "../../core/aging/schema.ts";
import { ErpConnection } from "../../core/erp-access/schema.ts";
import { Pagination } from "../../core/gate/pagination.ts";
import { Installment, Invoice, InvoiceWithInstallments } from "../../core/invoices/schema.ts";
import { ERRORS } from "../../core/kernel/error.ts";
import { type JsonSchema, mapSchemas, plainSchema } from "../../core/kernel/json-schema.ts";
import { capital } from "../../core/kernel/text.ts";
import { snakeCase } from "../../core/kernel/validation-messages.ts";
import { PaymentLink } from "../../core/payment-links/schema.ts";
import { Payment } from "../../core/payments/schema.ts";
import { PaymentIntegration } from "../../core/provider-access/schema.ts";
import { SyncRun } from "../../core/sync-runs/schema.ts";
import { Task } from "../../core/tasks/schema.ts";
import { Workflow, WorkflowExecution } from "../../core/workflows/schema.ts";
import { ApiContext } from "../../core/workspace/schema.ts";
import { pathNames } from "../match.ts";
import type { Route } from "../routes.ts";
import { describeSchemas } from "./words.ts";

/** The subset of JSON Schema that zod emits for this API. */
export type Schema = JsonSchema;

/** The error object of service.md §2.9. */
const ErrorObject = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERRORS)).describe("What went wrong, for programs; more may come"),
    message: z.string().describe("What went wrong, for people; may change"),
    request_id: z.string().describe("The response's `X-Request-Id`"),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe("Each field at fault, as it was written (`links[3].amount_minor`)"),
  }),
});

const SHARED = {
  Error: ErrorObject,
  ApiContext,
  Invoice,
  InvoiceCustomer: Invoice.shape.customer,
  InvoiceWithInstallments,
  Installment,
  ErpConnection,
  SyncRun,
  Task,
  Workflow,
  WorkflowExecution,
  PaymentLink,
  Payment,
  PaymentIntegration,
  Pagination,
  AgingSummary,
  AgingTotals: AgingSummary.shape.totals.element,
  AgingPagination: CustomerAging.shape.pagination,
  CustomerAgingRow,
  InstallmentAgingRow,
} as const satisfies Record<string, z.ZodType>;

/** Closed to further fields (service.md §2.2); every other response may gain some. */
const CLOSED = new Set(["ErpConnection"]);

/** Request and response schemas by name, and the names by route. */
export interface Schemas {
  components: Record<string, Schema>;
  /** The name of a route's response schema. */
  answerOf(route: Route): string;
  /** The name of a route's body schema; null without a body. */
  bodyOf(route: Route): string | null;
}

/** Every schema of the API, generated from the operations' own. */
export function schemasOf(routes: readonly Route[]): Schemas {
  const answers = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  const name = (schema: z.ZodType, id: string): void => {
    if (names.has(schema)) return;
    names.set(schema, id);
    answers.add(schema, { id });
  };
  for (const [id, schema] of Object.entries(SHARED)) name(schema, id);
  for (const { operation } of routes) name(operation.output, `${capital(operation.id)}Response`);
  const bodies = z.registry<{ id: string }>();
  const bodyNames = new Map<Route, string>();
  for (const route of routes) {
    const body = bodySchema(route);
    if (body === null) continue;
    const id = `${capital(route.operation.id)}Request`;
    bodies.add(body, { id });
    bodyNames.set(route, id);
  }
  return {
    components: describeSchemas({ ...convert(answers, "output"), ...convert(bodies, "input") }),
    answerOf: ({ operation }) => names.get(operation.output) ?? "",
    bodyOf: (route) => bodyNames.get(route) ?? null,
  };
}

/** The query parameters of a GET, as JSON Schema by name. */
export function querySchemas({ path, operation }: Route): [name: string, schema: Schema][] {
  const ids = new Set(pathNames(path).map(snakeCase));
  const { properties = {} } = shown(z.toJSONSchema(operation.input, { io: "input" }));
  return Object.entries(properties).filter(([name]) => !ids.has(name));
}

/** The path parameters. */
export function pathSchemas({ path, operation }: Route): [name: string, schema: Schema][] {
  const { properties = {} } = shown(z.toJSONSchema(operation.input, { io: "input" }));
  return pathNames(path).map((name) => [name, properties[snakeCase(name)] ?? {}]);
}

function bodySchema({ method, path, operation }: Route): z.ZodObject | null {
  if (method === "GET") return null;
  const ids = new Set(pathNames(path).map(snakeCase));
  const members = Object.entries(operation.input.shape).filter(([name]) => !ids.has(name));
  return members.length === 0 ? null : z.strictObject(Object.fromEntries(members));
}

function convert(registry: z.core.$ZodRegistry<{ id: string }>, io: "input" | "output"): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _dialect, $id: _address, ...own } = shown(schema);
      return [id, io === "output" && !CLOSED.has(id) ? opened(own) : own];
    }),
  );
}

/** Responses may gain fields (service.md §9.2). */
function opened(source: Schema): Schema {
  return mapSchemas(source, ({ additionalProperties: _closed, ...schema }) => schema);
}

const INT32 = 2 ** 31;

/** A schema as generators know it: an integer has a size and bounds, a constant is a choice of one. */
function shown(source: object): Schema {
  return mapSchemas(plainSchema(source), ({ const: only, ...schema }) => ({
    ...schema,
    ...(only === undefined ? {} : { enum: [only] }),
    ...([schema.type].flat().includes("integer") ? sizeOf(schema) : {}),
  }));
}

/** Without bounds of its own it has those of every number that JSON keeps exact. */
function sizeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): Schema {
  return { format: minimum >= -INT32 && maximum < INT32 ? "int32" : "int64", minimum, maximum };
}
