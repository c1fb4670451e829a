import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AssistantActor, SCOPES } from "../../src/core/gate/actor.ts";
import { toolSteering } from "../../src/mcp/tool-feature.ts";
import { tools } from "../../tools/index.ts";
import { withSandbox } from "../core/workflows/support.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { integrationRow } from "../support/furnish.ts";
import { refusal } from "../support/lists.ts";
import { errorOf, newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { connectAssistant } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const NO_ID =
  'must be an id (a UUID), not "NW-10114": look it up by `invoice_number` in the list of invoices, and take its `id`';
const FORMS = "2026-11-01T08:00:00Z or 2026-11-01T08:00:00+02:00";
const Links = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

describe.each(A_STORE)("errors that steer, on both routes on $name", ({ open }) => {
  const opened = useStore(open);
  const core = withSandbox(testCore(opened.store));
  let app: RestApp;
  let key: string;
  let actor: AssistantActor;
  let links: { invoice_id: string; installment_id: string }[];

  beforeAll(async () => {
    app = await openRestApp(core, { limited: false });
    const book = await openBook(opened.store);
    const { tenantId } = book;
    const { invoice, installments } = await book.invoice({ due_date: "2026-03-01" }, [{}]);
    links = installments.map(({ installment_id }) => ({ invoice_id: invoice.invoice_id, installment_id }));
    await addRows(opened.store, tenantId, { payment_integrations: integrationRow(tenantId) });
    key = await newKey(core, tenantId);
    actor = (await connectAssistant(opened.store, tenantId, { role: "admin", scopes: SCOPES })).actor;
  });
  afterAll(() => app.close());

  /** What REST says of each field, or of the whole. */
  async function overRest(path: string, init: Parameters<typeof send>[1] = {}): Promise<string[]> {
    const { details, message } = errorOf((await send(`${app.url}${path}`, { key, ...init })).body);
    return details?.map((detail) => `${detail.field} ${detail.message}`) ?? [message];
  }

  function callTool(name: string, args: object): Promise<object> {
    const tool = tools.find((one) => one.name === name) ?? expect.fail(name);
    return tool.call(actor, args, { core, requestId: "req_test", steering: toolSteering(tools, tool, actor) });
  }

  async function byTool(name: string, args: object): Promise<string[]> {
    const { details, message } = errorOf(await refusal(callTool(name, args)));
    return details?.map((detail) => `${detail.field} ${detail.message}`) ?? [message];
  }

  it("a number in the place of an id is looked up by invoice_number [completions.10.errors.steer]", async () => {
    expect(await overRest("/v1/invoices/NW-10114")).toEqual([`invoiceId ${NO_ID}`]);
    expect(await overRest("/v1/payment-links?invoice_id=NW-10114")).toEqual([`invoice_id ${NO_ID}`]);
    expect(await byTool("get_invoice", { invoice_id: "NW-10114" })).toEqual([`invoice_id ${NO_ID}`]);
    expect(await byTool("get_invoice", { invoice_number: "NW-10114" })).toEqual([
      "invoice_id must be given, as an id (a UUID): look it up by `invoice_number` in the list of invoices, and take its `id`",
      "invoice_number is not a known field: `list_invoices` or `list_payments` take it",
    ]);
  });

  it("an unknown argument names the nearest, or who takes it [completions.10.errors.steer]", async () => {
    expect(await overRest("/v1/payments?since=2026-10-01&bucket=over_90")).toEqual([
      "since is not a known field: the nearest is `confirmed_since`",
      "bucket is not a known field: `GET /v1/aging/summary`, `GET /v1/aging/customers` or `GET /v1/aging/installments` take it",
    ]);
    expect(await byTool("list_payments", { since: "2026-10-01", bucket: "over_90" })).toEqual([
      "since is not a known field: the nearest is `confirmed_since`",
      "bucket is not a known field: `summarize_aging`, `list_customer_aging` or `list_installment_aging` take it",
    ]);
  });

  it("a date-time says which forms are taken, and of a query how + is written [completions.10.errors.steer]", async () => {
    expect(await overRest("/v1/payments?confirmed_since=last%20month")).toEqual([
      `confirmed_since must be a date-time with its offset, such as ${FORMS} (in a query, + is written %2B), or a day such as 2026-11-01, not "last month"`,
    ]);
    expect(await overRest("/v1/invoices?updated_since=2026-01-01T00:00:00+02:00")).toEqual([
      `updated_since must be a date-time such as ${FORMS}, or a day such as 2026-11-01, not "2026-01-01T00:00:00 02:00": in a query, write the + as %2B`,
    ]);
    expect(await byTool("list_payments", { confirmed_since: "last month" })).toEqual([
      `confirmed_since must be a date-time with its offset, such as ${FORMS}, or a day such as 2026-11-01, not "last month"`,
    ]);
  });

  it("a conflict names what is in the way by its id [completions.10.errors.steer]", async () => {
    const made = Links.parse(await callTool("create_payment_links", { links, idempotency_key: randomUUID() }));
    const inTheWay = `Live payment links cover the whole installment already. Live now: ${made.data[0]?.id}.`;
    const [json] = links;
    const headers = { "Idempotency-Key": randomUUID() };
    expect(await overRest("/v1/payment-links", { method: "POST", json, headers })).toEqual([
      `installment_id ${inTheWay}`,
    ]);
    expect(await byTool("create_payment_links", { links, idempotency_key: randomUUID() })).toEqual([
      `links[0].installment_id ${inTheWay}`,
    ]);
    const payment = randomUUID();
    const stray = await byTool("push_held_payments", { payment_ids: [payment], idempotency_key: randomUUID() });
    expect(stray.join()).toContain(payment);
  });
});
