import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PaymentLink } from "../../src/core/payment-links/schema.ts";
import { SyncRun } from "../../src/core/sync-runs/schema.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { type Description, operationsOf } from "../../src/web/docs/description.ts";
import { curlSample } from "../../src/web/docs/samples.ts";
import { content, described, exampleOf, fieldsIn, having, listed } from "./examples.ts";

const Held = z.looseObject({ schema: z.object({}).loose() });

/** Each example in the description, with the schema beside it, by its place. */
function* examplesIn(value: unknown, place = ""): Generator<[place: string, schema: object, example: unknown]> {
  if (typeof value !== "object" || value === null) return;
  const { data } = Held.safeParse(value);
  if (data?.example !== undefined) yield [place, data.schema, data.example];
  const several = z.record(z.string(), z.object({ value: z.unknown() })).safeParse(data?.examples).data ?? {};
  for (const [name, { value: example }] of Object.entries(several))
    yield [`${place}#${name}`, data?.schema ?? {}, example];
  for (const [name, member] of Object.entries(value))
    if (name !== "example") yield* examplesIn(member, `${place}/${name}`);
}

describe("the examples of the description can occur", () => {
  it.each(ROUTES.map(({ operation }) => operation))(
    "$id takes its example and answers it [service.9.examples]",
    ({ id, input, output }) => {
      const { answer, body, asked } = exampleOf(id);
      expect(output.safeParse(answer).error).toBeUndefined();
      const names = Object.entries(asked).map(([name, value]) => [
        name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
        value,
      ]);
      const given = Object.fromEntries(names.filter(([name]) => String(name) in input.shape));
      expect(
        input.safeParse({ ...given, ...z.record(z.string(), z.unknown()).parse(body ?? {}) }).error,
      ).toBeUndefined();
    },
  );

  it("fits each the schema beside it [service.9.examples]", () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    ajv.addSchema(content, "openapi");
    const wrong = [...examplesIn(content)].flatMap(([place, schema, example]) => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
      return ajv.validate(JSON.parse(text), example) ? [] : [`${place}: ${ajv.errorsText()}`];
    });
    expect(wrong).toEqual([]);
    expect([...examplesIn(content)].length).toBeGreaterThan(200);
  });

  it("counts and pages as lists do [service.9.examples]", () => {
    const pages = having(z.object({ data: z.array(z.unknown()), pagination: z.looseObject({ limit: z.int() }) }));
    expect(pages.length).toBeGreaterThan(9);
    for (const { data, pagination } of pages) {
      expect(pagination.total_count).toBe(data.length);
      expect(data.length).toBeLessThanOrEqual(pagination.limit);
      expect(pagination.next_cursor).toBeNull();
      if ("has_more" in pagination) expect(pagination.has_more).toBe(false);
    }
    for (const by of ["created_at", "started_at"])
      for (const { data } of having(z.object({ data: z.array(z.looseObject({ [by]: z.string() })) })))
        expect(data).toEqual(data.toSorted((a, b) => String(b[by]).localeCompare(String(a[by]))));
  });

  it("answers what the sample request beside it asks for [service.9.samples]", () => {
    const description: Description = JSON.parse(JSON.stringify(content));
    const reads = operationsOf(description).filter(({ method, path }) => method === "GET" && !path.includes("{"));
    expect(reads.length).toBeGreaterThan(12);
    for (const read of reads) {
      const { id, answer } = exampleOf(read.operationId);
      const [, address = ""] =
        /'([^']+)'/.exec(curlSample(read, description, "https://receivables.example.test")) ?? [];
      const { limit, ...asked } = Object.fromEntries(new URL(address).searchParams);
      const fields = new Map([...fieldsIn(answer)].map(({ name, value }) => [name, value]));
      const isAging = fields.has("revision");
      const wanted = {
        ...(fields.has("past_expected") ? { include: "payment_history" } : {}),
        ...(fields.has("installments") ? { include: "installments" } : {}),
        ...(fields.has("groups") ? { group_by: "month" } : {}),
        ...(fields.has("total_count") && !isAging ? { include_total: "true" } : {}),
      };
      expect(asked, id).toEqual(wanted);
      expect(limit, id).toBe(fields.has("limit") ? String(fields.get("limit")) : undefined);
    }
  });

  it("has times in their order, and runs that ended where they say so [service.9.examples]", () => {
    const runs = having(SyncRun);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["succeeded", "failed"]));
    for (const run of runs) {
      expect(run.finished_at !== null).toBe(run.status !== "running");
      expect(run.error !== null).toBe(run.status === "failed");
    }
    const good = listed("listSyncRuns", SyncRun).find(({ status }) => status === "succeeded");
    for (const { last_successful_sync_at } of having(z.looseObject({ last_successful_sync_at: z.string() })))
      expect(last_successful_sync_at).toBe(good?.finished_at);
    for (const { as_of } of having(z.looseObject({ outstanding: z.string(), as_of: z.string() })))
      expect(as_of).toBe(good?.finished_at);
    const Times = z.looseObject({
      created_at: z.string(),
      updated_at: z.string().optional(),
      last_synced_at: z.string().nullish(),
    });
    for (const { created_at, updated_at = created_at, last_synced_at } of having(Times)) {
      const times = [created_at, updated_at, last_synced_at ?? updated_at];
      expect(times.toSorted()).toEqual(times);
    }
    for (const { started_at, finished_at } of having(
      z.looseObject({ started_at: z.string(), finished_at: z.string() }),
    ))
      expect(started_at < finished_at).toBe(true);
  });

  it("shows each thing the same in every read, and by the same names [service.9.examples]", () => {
    const reads = described.filter(({ isRead }) => isRead);
    const seen = new Map<string, object>();
    const whole = z.looseObject({ id: z.string(), created_at: z.string() });
    for (const one of having(whole, reads)) {
      const known = seen.get(one.id) ?? {};
      expect({ ...known, ...one }).toMatchObject(known);
      seen.set(one.id, { ...known, ...one });
    }
    const names = new Map<string, string>();
    const same = (key: string, name: string): void => {
      expect([name, names.get(key) ?? name]).toEqual([name, name]);
      names.set(key, name);
    };
    for (const { invoice_id: id, invoice_number: number } of having(
      z.looseObject({ invoice_id: z.string(), invoice_number: z.string() }),
    ))
      same(id, number);
    for (const { id, invoice_number: number } of having(
      z.looseObject({ id: z.string(), invoice_number: z.string(), customer: z.looseObject({}), due_date: z.unknown() }),
    ))
      same(id, number);
    for (const { id, name, number } of having(z.looseObject({ id: z.string(), name: z.string(), number: z.string() })))
      same(id, `${name} ${number}`);
    for (const one of having(
      z.looseObject({ customer_id: z.string(), customer_name: z.string(), customer_number: z.string() }),
    ))
      same(one.customer_id, `${one.customer_name} ${one.customer_number}`);
  });

  it("refers by its ids to what it shows, each of one thing [service.9.examples]", () => {
    const kinds = new Map<string, string>();
    const own = described
      .filter(({ id }) => id.startsWith("list"))
      .flatMap(({ id }) =>
        listed(id, z.looseObject({ id: z.string().optional() })).map((row) => [row.id, id] as const),
      );
    for (const [row, kind] of own)
      if (row !== undefined) {
        expect([undefined, kind]).toContain(kinds.get(row));
        kinds.set(row, kind);
      }
    const OWNERS: Record<string, string> = {
      invoice_id: "listInvoices",
      invoiceId: "listInvoices",
      payment_link_id: "listPaymentLinks",
      paymentLinkId: "listPaymentLinks",
      payment_id: "listPayments",
      paymentId: "listPayments",
      payment_integration_id: "listPaymentIntegrations",
      connection_id: "listErpConnections",
      connectionId: "listErpConnections",
      sync_run_id: "listSyncRuns",
      syncRunId: "listSyncRuns",
      taskId: "listTasks",
      workflow_id: "listWorkflows",
      workflowId: "listWorkflows",
    };
    for (const { name, value } of fieldsIn(described))
      if (name in OWNERS && typeof value === "string") expect([name, kinds.get(value)]).toEqual([name, OWNERS[name]]);
  });

  it("has links, emails and tasks whose states and dates agree [service.9.examples]", () => {
    const links = having(PaymentLink);
    expect(new Set(links.map(({ status }) => status))).toEqual(new Set(["active", "paid", "deactivated"]));
    for (const link of links) {
      expect(link.paid_at !== null).toBe(link.status === "paid");
      expect(link.deactivated_at !== null).toBe(link.status === "deactivated");
      for (const end of [link.paid_at, link.deactivated_at]) if (end !== null) expect(end > link.created_at).toBe(true);
      expect(link.email !== null).toBe(link.created_by.kind === "workflow");
      if (link.email === null) continue;
      expect(link.email.sent_at !== null).toBe(link.email.status === "sent");
      expect(link.email.send_at > link.created_at).toBe(true);
      expect((link.email.sent_at ?? link.email.send_at) >= link.email.send_at).toBe(true);
    }
    for (const task of having(
      z.looseObject({ state: z.string(), invoice_id: z.string(), configured_at: z.unknown() }),
    )) {
      const first = links.filter((link) => link.invoice_id === task.invoice_id).map((link) => link.created_at);
      expect([task.state, task.configured_at]).toEqual(["configured", first.toSorted()[0]]);
    }
  });
});
