import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AssistantActor, operation, ROUTE_CALLERS, SCOPES } from "../../src/core/gate/operation.ts";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { type Book, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { furnishAll } from "../support/furnish.ts";
import { call, refusal } from "../support/lists.ts";
import { connectAssistant } from "../support/rows.ts";
import { storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

interface Argument {
  tool: Tool;
  name: string;
  required: boolean;
}

/** Every argument of every tool through which a caller could name something by its id. */
const ARGUMENTS: Argument[] = tools.flatMap((tool) =>
  Object.entries(tool.input.properties)
    .filter(([name, schema]) => ("format" in schema && schema.format === "uuid") || name === "customer_key")
    .map(([name]) => ({ tool, name, required: tool.input.required?.includes(name) ?? false })),
);

/** What else a tool that takes one has to be told. */
const OTHERS: Readonly<Record<string, object>> = {
  reschedule_payment_link_email: { send_at: "2026-12-24T08:00:00Z" },
  push_held_payments: { idempotency_key: "key-1" },
};

/** What a list answers when nothing matches: no rows, no totals, nothing that tells of another workspace. */
const Nothing = z.looseObject({
  data: z.tuple([]).optional(),
  totals: z.tuple([]).optional(),
  pagination: z.looseObject({ next_cursor: z.null(), total_count: z.literal(0).optional() }).optional(),
});

/** Operations that name no tenant, and ask for every row, or for rows by their ids alone. */
const forgetful = operation({
  id: "forgetful",
  summary: "A test",
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({ ids: z.array(z.string()).optional(), raw: z.boolean(), unset: z.boolean() }),
  output: z.strictObject({ ids: z.array(z.string()) }),
  async run({ tx }, { ids, raw, unset }) {
    if (unset) await sql`set local app.tenant_id = ''`.execute(tx);
    if (raw) {
      const { rows } = await sql<{ invoice_id: string }>`select invoice_id from invoices`.execute(tx);
      return { ids: rows.map((row) => row.invoice_id) };
    }
    const query = tx.selectFrom("invoices").select("invoice_id");
    const rows = await (ids === undefined ? query : query.where("invoice_id", "in", ids)).execute();
    return { ids: rows.map((row) => row.invoice_id) };
  },
});

describe.each(storesOf(import.meta.url))("workspaces apart on $name", ({ open }) => {
  const { store } = useStore(open);
  const core = testCore(store);
  let caller: AssistantActor;
  let ownInvoice: string;
  let foreign: { kind: string; id: string }[];
  let foreignInvoice: string;
  const answer = (tool: Tool, args: object) => tool.call(caller, args, { core: core, requestId: "req_test" });

  /** One of everything that has an id, and all the ids. */
  async function furnished(book: Book): Promise<{ kind: string; id: string }[]> {
    const { tenantId } = book;
    const customer = await book.customer();
    const { installments } = await book.invoice({ customer, has_held_payment: true }, [
      { due_date: "2026-01-15" },
      { due_date: "2026-04-15" },
    ]);
    const { invoice: local } = await book.invoice({ origin: "local", due_date: "2026-01-15" });
    const { member, connection, person } = await connectAssistant(store, tenantId, { role: "admin" });
    const [installment] = installments;
    const ids = await furnishAll(store, book, installment);
    return [
      ...Object.entries(ids).map(([kind, id]) => ({ kind, id })),
      { kind: "tenant", id: tenantId },
      { kind: "customer", id: customer.customer_id },
      { kind: "local invoice", id: local.invoice_id },
      ...installments.map((row) => ({ kind: "installment", id: row.installment_id })),
      { kind: "member", id: member.member_id },
      { kind: "person", id: person.person_id },
      { kind: "assistant connection", id: connection.connection_id },
    ];
  }

  beforeAll(async () => {
    const [ours, theirs] = [await openBook(store), await openBook(store)];
    const own = await furnished(ours);
    foreign = await furnished(theirs);
    ownInvoice = own.find(({ kind }) => kind === "invoice_id")?.id ?? "";
    foreignInvoice = foreign.find(({ kind }) => kind === "invoice_id")?.id ?? "";
    caller = (await connectAssistant(store, ours.tenantId, { role: "admin", scopes: SCOPES })).actor;
  });

  it("covers every tool that takes an id [isolation.ids]", () => {
    expect(ARGUMENTS.length).toBeGreaterThan(25);
  });

  it.each(ARGUMENTS.filter(({ tool, required }) => required || tool.admin))(
    "$tool.name answers another workspace's ids exactly as it answers missing ones [isolation.ids]",
    async ({ tool, name }) => {
      const asked = (id: string) => refusal(answer(tool, { ...OTHERS[tool.name], [name]: id }));
      const missing = JSON.stringify(await asked(randomUUID()));
      expect(missing).toContain('"code":"not_found"');
      for (const { kind, id } of foreign) {
        expect(JSON.stringify(await asked(id)), kind).toBe(missing);
      }
    },
  );

  it.each(ARGUMENTS.filter(({ tool, required }) => !required && !tool.admin))(
    "$tool.name by another workspace's $name finds nothing [isolation.ids]",
    async ({ tool, name }) => {
      const counted = "include_total" in tool.input.properties ? { include_total: true } : {};
      for (const { kind, id } of foreign) {
        for (const value of name === "customer_key" ? [id, `unassigned:${id}`] : [id]) {
          const found = Nothing.safeParse(await answer(tool, { [name]: value, ...counted }));
          expect(found.error, `${kind} ${value}`).toBeUndefined();
        }
      }
    },
  );

  it("no answer to any call carries an id of another workspace [isolation.ids]", async () => {
    for (const tool of tools.filter(({ input }) => (input.required ?? []).length === 0)) {
      const text = JSON.stringify(await answer(tool, {}));
      for (const { kind, id } of foreign) expect(text, `${tool.name}: ${kind}`).not.toContain(id);
    }
  });

  it.each([false, true])(
    "a query that forgets the tenant gets its own rows at most (raw SQL: %s) [isolation.walls]",
    async (raw) => {
      const { ids } = await call(core, forgetful, caller, { raw, unset: false });
      expect(ids).toContain(ownInvoice);
      expect(ids).not.toContain(foreignInvoice);
      expect(ids).toHaveLength(2);
    },
  );

  it("a query that forgets the tenant and knows another's ids gets nothing [isolation.walls]", async () => {
    const ids = foreign.map(({ id }) => id);
    expect(await call(core, forgetful, caller, { ids, raw: false, unset: false })).toEqual({ ids: [] });
  });

  it.each([false, true])("a query for no tenant at all gets nothing (raw SQL: %s) [isolation.walls]", async (raw) => {
    expect(await call(core, forgetful, caller, { raw, unset: true })).toEqual({ ids: [] });
    const nobody = { ...caller, tenantId: randomUUID() };
    expect(await call(core, forgetful, nobody, { raw, unset: false })).toEqual({ ids: [] });
  });
});
