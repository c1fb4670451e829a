import { randomUUID } from "node:crypto";
import { z } from "zod";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import type { Store } from "../../src/store/store.ts";
import type { Book } from "../support/book.ts";
import { insertLinks } from "../support/emailed-links.ts";
import { furnishAll, mailedLinkRow } from "../support/furnish.ts";
import { send } from "../support/rest-app.ts";
import { setRows } from "../support/stored.ts";

const Parameter = z.object({ name: z.string(), in: z.enum(["path", "query", "header"]) });
const Content = z.record(
  z.string(),
  z.object({ schema: z.unknown(), examples: z.record(z.string(), z.unknown()).optional() }),
);
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        "x-permission": z.enum(["admin", "readonly"]),
        parameters: z.array(z.union([Parameter, z.object({ $ref: z.string() })])),
        requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.unknown() })) }).optional(),
        responses: z.record(
          z.string(),
          z.union([
            z.object({ $ref: z.string(), description: z.string().optional() }),
            z.object({ description: z.string(), content: Content }),
          ]),
        ),
      }),
    ),
  ),
  components: z.object({
    responses: z.record(z.string(), z.object({ description: z.string(), content: Content.default({}) })),
    schemas: z.unknown(),
  }),
});

/** The description of the API. */
export const read = Document.parse(openApiDocument(ROUTES, "https://receivables.example.test"));
/** Its operations. */
export const operations = Object.entries(read.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters, ...described }]) => ({
    path,
    method: method.toUpperCase(),
    parameters: parameters.filter((parameter) => "name" in parameter),
    ...described,
  })),
);
export type Described = (typeof operations)[number];

/** The ids of one workspace, by the names that paths and queries give them. */
export type Ids = Readonly<Record<string, string>>;

/** A link of its own for each operation: one that was withdrawn is no good to the next. */
export async function freshLink(store: Store, tenantId: string, ids: Ids): Promise<Ids> {
  const link = await store.write(tenantId, async (tx) => {
    const installment = await tx
      .selectFrom("installments")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("installment_id", "=", ids.installment_id ?? "")
      .executeTakeFirstOrThrow();
    const row = mailedLinkRow(installment, ids.payment_integration_id ?? "");
    await insertLinks(tx, [row]);
    return row;
  });
  return { ...ids, paymentLinkId: link.payment_link_id };
}

/** The example of a body, about what there is in the workspace. */
function about(example: unknown, ids: Ids): unknown {
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => ids[name] ?? value);
}

/** Fills a workspace with what every operation can be called about. */
export async function furnish(store: Store, book: Book): Promise<Ids> {
  const { tenantId } = book;
  const customer = await book.customer();
  const { installments } = await book.invoice({ customer }, [
    { due_date: "2026-01-15", original_amount: "90000.00" },
    { due_date: "2026-04-15" },
  ]);
  const [installment] = installments;
  await book.invoice({ origin: "local", due_date: "2026-01-15" });
  await setRows(store, tenantId, "erp_connections", { credential: "sealed" });
  const { customer_id } = customer;
  const ids = { ...(await furnishAll(store, book, installment)), customer_id, customer_key: customer_id };
  const named = Object.entries(ids).map(([name, id]) => [name.replaceAll(/_(\w)/g, (_, c) => c.toUpperCase()), id]);
  return { ...Object.fromEntries(named), ...ids, paymentLinkId: "", send_at: "2026-12-31T08:00:00Z" };
}

interface CallOptions {
  readonly url: string;
  readonly key?: string | undefined;
  /** Of the workspace that the call is about. */
  readonly ids: Ids;
  /** With its question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls an operation with its example, under an idempotency key of its own. */
export function callOperation(
  { method, path, requestBody }: Described,
  { url, key, ids, query = "", headers = {} }: CallOptions,
): ReturnType<typeof send> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "");
  const body = about(requestBody?.content["application/json"]?.example ?? null, ids);
  return send(`${url}${filled}${query}`, {
    method,
    headers: { "Idempotency-Key": randomUUID(), ...headers },
    ...(key === undefined ? {} : { key }),
    ...(body === null ? {} : { json: body }),
  });
}
