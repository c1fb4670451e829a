/**
 * The same work as the service does for a call, from stock parts used as their documentation has it: the SDK's server and
 * transport for each request, a token check with jose, `pg.Pool`, zod, the same statements, limits and answers.
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express, { type Request } from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";
import pg from "pg";
import { z } from "zod";
import { type AssistantActor, SCOPES, scopesIn } from "../../src/core/gate/actor.ts";
import { sealCursor } from "../../src/core/gate/cursor.ts";
import { LIST_PARAMETERS } from "../../src/core/gate/list-parameters.ts";
import { Pagination } from "../../src/core/gate/pagination.ts";
import { FAILED_ATTEMPT_LIMITS, REQUEST_LIMITS, windowAt } from "../../src/core/gate/rate-limits.ts";
import { invoiceOnWire } from "../../src/core/invoices/invoice-on-wire.ts";
import { INVOICE_FILTERS } from "../../src/core/invoices/list-filters.ts";
import type { InvoiceRecord } from "../../src/core/invoices/list-queries.ts";
import { Invoice } from "../../src/core/invoices/schema.ts";
import { businessDate } from "../../src/core/kernel/calendar.ts";
import { inertJson } from "../../src/core/kernel/inert-json.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { pagesOf } from "../../src/core/workspace/get-context.ts";
import { Context } from "../../src/core/workspace/schema.ts";
import { DATABASE_ROLES } from "../../src/store/tenancy/roles.ts";
import { tools } from "../../tools/index.ts";
import { mayCall } from "../../tools/tool.ts";
import { AUTHORIZE, CONTEXT, DAYS, INVOICES } from "./stock-statements.ts";

const Settings = z.object({
  PORT: z.coerce.number(),
  DATABASE_URL: z.string(),
  ISSUER: z.url(),
  ENCRYPTION_KEY: z.string(),
});
const { PORT, DATABASE_URL, ISSUER, ENCRYPTION_KEY } = Settings.parse(process.env);

const asText = (text: string): string => text;
const [DATE, INT8, NUMERIC, TIMESTAMPTZ] = [1082, 20, 1700, 1184];
for (const type of [DATE, INT8, NUMERIC]) pg.types.setTypeParser(type, asText);
pg.types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text).toISOString());
const poolAs = (role: string): pg.Pool =>
  new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: `-c role=${role} -c timezone=UTC -c jit=off` });
const [lookups, transactions] = [poolAs(DATABASE_ROLES.system), poolAs(DATABASE_ROLES.tenant)];

const secrets = new Secrets(Buffer.from(ENCRYPTION_KEY, "base64"));
const keys = createRemoteJWKSet(new URL(`${ISSUER}/oauth/jwks`));
const Claims = z.object({
  sub: z.uuid(),
  client_id: z.string(),
  scope: z.string(),
  connection_id: z.uuid(),
  tenant_id: z.uuid(),
});
const Caller = z.object({
  failures: z.int(),
  member_id: z.uuid(),
  scopes: z.array(z.enum(SCOPES)),
  role: z.enum(["admin", "member"]),
  revoked: z.literal(false),
  removed: z.literal(false),
  assistant_access: z.literal(true),
  assistants: z.enum(["read", "write"]),
  connection_hits: z.int(),
  tenant_hits: z.int().nullable(),
});

/** Who calls, and what they may do now. Throws for a caller that is not let in. */
async function authenticate(request: Request): Promise<{ actor: AssistantActor; left: number }> {
  const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
  const checks = { issuer: ISSUER, audience: `${ISSUER}/mcp`, algorithms: ["ES256"], typ: "at+jwt" };
  const { payload } = await jwtVerify(token, keys, checks);
  const claims = Claims.parse(payload);
  const now = new Date();
  const minute = windowAt(now, REQUEST_LIMITS.windowSeconds).start;
  const attempts = windowAt(now, FAILED_ATTEMPT_LIMITS.windowSeconds).start;
  const { tenant_id: tenantId, connection_id: connectionId, client_id: clientId, sub: personId } = claims;
  const { rows } = await lookups.query({
    name: "authorize",
    text: AUTHORIZE,
    values: [
      ...[tenantId, connectionId, clientId, personId, now.toISOString(), minute, null],
      ...[`address:${request.ip}`, attempts],
    ],
  });
  const found = Caller.parse(rows[0]);
  const scopes = scopesIn(
    found.assistants,
    found.scopes.filter((scope) => claims.scope.includes(scope)),
  );
  const { member_id: memberId, role, assistants } = found;
  return {
    actor: { kind: "assistant", tenantId, memberId, role, connectionId, scopes, readsOnly: assistants === "read" },
    left: Math.max(0, REQUEST_LIMITS.caller - found.connection_hits),
  };
}

/** Reads within one transaction of the tenant's. */
async function read<T>(tenantId: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await transactions.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query("select set_config('app.tenant_id', $1, true)", [tenantId]);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

interface ContextRow {
  tenant_name: string;
  timezone: string;
  email: string;
  name: string | null;
  client_name: string;
  created_at: string;
  last_used_at: string | null;
}

async function context(actor: AssistantActor): Promise<z.output<typeof Context>> {
  const { tenantId, connectionId, memberId, role, scopes } = actor;
  const values = [tenantId, connectionId, memberId];
  const query = { name: "context", text: CONTEXT, values };
  const found = await read(tenantId, async (client) => (await client.query<ContextRow>(query)).rows[0]);
  if (found === undefined) throw new Error("the connection is gone");
  return {
    tenant_id: tenantId,
    tenant_name: found.tenant_name,
    timezone: found.timezone,
    business_date: businessDate(new Date(), found.timezone),
    member: { id: memberId, email: found.email, name: found.name, role },
    connection: {
      id: connectionId,
      client_name: found.client_name,
      scopes: [...scopes],
      created_at: found.created_at,
      last_used_at: found.last_used_at,
    },
    callable_tools: tools.filter((tool) => mayCall(actor, tool)).map(({ name }) => name),
    pages: pagesOf(tenantId, ISSUER),
  };
}

const Page = { data: z.array(Invoice), pagination: Pagination };

async function invoices({ tenantId }: AssistantActor, limit: number): Promise<z.output<z.ZodObject<typeof Page>>> {
  const found = await read(tenantId, async (client) => {
    const days = await client.query<{ timezone: string }>({ name: "days", text: DAYS, values: [tenantId] });
    const today = businessDate(new Date(), days.rows[0]?.timezone ?? "UTC");
    const values = [tenantId, limit + 1, today];
    return (await client.query<InvoiceRecord>({ name: "invoices", text: INVOICES, values })).rows;
  });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  const scope = { operation: "listInvoices", tenantId, query: { order: "desc" } };
  const cursor = hasMore ? sealCursor(secrets, scope, [last.created_at, last.invoice_id]) : null;
  return {
    data: rows.map(invoiceOnWire),
    pagination: { next_cursor: cursor, has_more: hasMore, limit, as_of: new Date().toISOString() },
  };
}

const answer = (output: object) => ({
  content: [{ type: "text" as const, text: inertJson(JSON.stringify(output)) }],
  structuredContent: { ...output },
});

function serverFor(actor: AssistantActor): McpServer {
  const server = new McpServer({ name: "stock-parts", version: "1.0.0" });
  const [own, list] = ["Who and where the caller is", "Lists invoices, newest first"];
  server.registerTool("get_context", { description: own, outputSchema: Context.shape }, async () =>
    answer(await context(actor)),
  );
  server.registerTool(
    "list_invoices",
    { description: list, inputSchema: { ...INVOICE_FILTERS, ...LIST_PARAMETERS }, outputSchema: Page },
    async ({ limit }) => answer(await invoices(actor, limit)),
  );
  return server;
}

const app = express();
app.use(express.json());
app.post("/mcp", async (request, response) => {
  const { actor, left } = await authenticate(request);
  response.set("RateLimit-Remaining", String(left));
  const server = serverFor(actor);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(PORT, "127.0.0.1", () => process.stdout.write("is ready\n"));
