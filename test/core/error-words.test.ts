import { describe, expect, it } from "vitest";
import { z } from "zod";
import { COMMANDS } from "../../src/admin/commands/index.ts";
import { readConfig } from "../../src/config.ts";
import { BUCKETS } from "../../src/core/aging/buckets.ts";
import { getInvoice } from "../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { type ErrorDetail, ServiceError } from "../../src/core/kernel/error.ts";
import { nearest } from "../../src/core/kernel/nearest-name.ts";
import { elsewhereIn, type Steering } from "../../src/core/kernel/steering.ts";
import { parseInput } from "../../src/core/kernel/validation.ts";
import { unknownFieldWords } from "../../src/core/kernel/validation-messages.ts";
import { createPaymentLinks } from "../../src/core/payment-links/operations/create-links.ts";
import { reschedulePaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { getApiContext } from "../../src/core/workspace/operations/get-api-context.ts";
import { ROUTES } from "../../src/rest/routes.ts";

/** Words of zod's own messages, in any of its versions. */
const LIBRARY =
  /received|\bexpected\b|invalid|GUID|too (small|big)|unrecognized|>=|<=|\bnan\b|string\b|boolean\b|array\b/i;
/** The rest of a sentence that begins with the field. */
const OURS = /^(must |is |has |holds |give |belongs )[^\n]*[^.\s]$/;

const UUID = "6e3a0c1e-0d7c-4f53-9d0b-222222222222";

const BAD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e20,
  "",
  "x",
  "NW-10114",
  "\0",
  "9".repeat(5_000),
  "2026-02-30",
  "2026-11-01T08:00:00",
  "9999-12-31T23:59:59-14:00",
  [],
  ["x"],
  [null],
  Array.from({ length: 2_000 }, () => "x"),
  {},
  { stray: 1 },
];

/** What can be sent in the place of a schema: everything that is bad in itself, and good shapes with bad members. */
function bad(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bad(schema.unwrap());
  if (schema instanceof z.ZodArray) return [...BAD, ...bad(schema.element).map((item) => [item])];
  if (schema instanceof z.ZodObject)
    return [
      ...BAD,
      ...Object.entries(schema.shape).flatMap(([name, member]) => bad(member).map((one) => ({ [name]: one }))),
    ];
  return [...BAD];
}

function faultsOf(schema: z.ZodType, input: unknown, steering?: Steering): ErrorDetail[] {
  try {
    parseInput(schema, input, steering);
    return [];
  } catch (error) {
    if (error instanceof ServiceError) return error.details ?? [];
    throw error;
  }
}

const said = (schema: z.ZodType, input: unknown, steering?: Steering): string =>
  faultsOf(schema, input, steering)
    .map(({ field, message }) => `${field} ${message}`)
    .join("\n");

const SCHEMAS = [
  ...ROUTES.map(({ operation }) => [operation.id, operation.input] as const),
  ...COMMANDS.map(({ name, input }) => [name, input] as const),
];

describe("what is said of an input that is not valid", () => {
  it.each(SCHEMAS)("%s says in our own words [completions.10.errors.own-words]", (_, schema) => {
    expect(faultsOf(schema, { stray: 1 }).map(({ field }) => field)).toContain("stray");
    const all = bad(schema).flatMap((input) => faultsOf(schema, input));
    const messages = new Set(all.map(({ message }) => message.replaceAll(/"[^"]*"/g, "…")));
    const foreign = [...messages].filter((message) => LIBRARY.test(message) || !OURS.test(message));
    expect(foreign).toEqual([]);
    expect(all.filter(({ message }) => message.length > 700)).toEqual([]);
  });

  it("names what was given, and what would be right [completions.10.errors.steer]", () => {
    expect(said(listInvoices.input, { limit: 0 })).toBe("limit must be at least 1, not 0");
    expect(said(listInvoices.input, { limit: "ten" })).toBe('limit must be a whole number from 1 to 100, not "ten"');
    expect(said(listInvoices.input, { limit: "9".repeat(20) })).toContain("from 1 to 100");
    expect(said(listInvoices.input, { limit: "100 " })).toContain('not "100 "');
    expect(said(listInvoices.input, { currency: "eur" })).toBe(
      'currency must be 3 upper-case letters (ISO 4217), such as EUR, not "eur"',
    );
    expect(said(listInvoices.input, { collection_status: "Opne" })).toBe(
      'collection_status must be `paid`, `open` or `inactive`, not "Opne": the nearest is `open`',
    );
    expect(said(listInvoices.input, { due_before: "2026-02-30" })).toBe(
      'due_before must be a day that exists, written YYYY-MM-DD such as 2026-11-30, not "2026-02-30"',
    );
    expect(said(listInvoices.input, { connection_id: null })).toMatch(
      /^connection_id must be an id \(a UUID\), not null/,
    );
    expect(said(createPaymentLinks.input, { links: [] })).toBe("links must not be empty");
  });

  it("says of a filter that it also takes a day [completions.10.errors.steer] [completions.10.days]", () => {
    const forms = "a date-time with its offset, such as 2026-11-01T08:00:00Z or 2026-11-01T08:00:00+02:00";
    expect(said(listPayments.input, { confirmed_since: "last month" })).toBe(
      `confirmed_since must be ${forms}, or a day such as 2026-11-01, not "last month"`,
    );
    expect(said(listPayments.input, { confirmed_since: "2026-11-31" })).toBe(
      'confirmed_since must be a day that exists, not "2026-11-31"',
    );
    expect(said(listPayments.input, { confirmed_since: "9999-12-31T23:59:59-14:00" })).toBe(
      "confirmed_since must be in the years 1 to 9999, in UTC",
    );
    expect(said(listPayments.input, { confirmed_since: 20261101 })).toBe(
      `confirmed_since must be ${forms}, or a day such as 2026-11-01, not 20261101`,
    );
    const inQuery = { also: [], isInQuery: true, elsewhere: () => null };
    expect(said(listPayments.input, { confirmed_since: "2026-11-01T08:00:00 02:00" }, inQuery)).toBe(
      "confirmed_since must be a date-time such as 2026-11-01T08:00:00Z or 2026-11-01T08:00:00+02:00, or a day such as 2026-11-01, " +
        'not "2026-11-01T08:00:00 02:00": in a query, write the + as %2B',
    );
    expect(said(reschedulePaymentLinkEmail.input, { payment_link_id: UUID, send_at: "2026-11-01" })).toBe(
      `send_at must be ${forms}, not "2026-11-01"`,
    );
  });

  it("says which forms a date-time has, and of a query how a plus sign is sent [completions.10.errors.steer]", () => {
    const asked = (updated_since: unknown, isInQuery: boolean) =>
      said(listInvoices.input, { updated_since }, { also: [], isInQuery, elsewhere: () => null });
    for (const given of ["yesterday", "2026-11-01T08:00:00 02:00"]) {
      expect(asked(given, true)).toContain("%2B");
      expect(asked(given, false)).toMatch(/must be a date-time .*\+02:00, or a day such as 2026-11-01, not/);
      expect(asked(given, false)).not.toContain("%2B");
    }
    expect(asked("2026-13-01T00:00:00Z", true)).toBe(
      'updated_since must be a day, an hour and an offset that exist, not "2026-13-01T00:00:00Z"',
    );
    expect(asked(1795443928, false)).toMatch(/must be a date-time with its offset, such as .*, not 1795443928$/);
    expect(said(reschedulePaymentLinkEmail.input, {}).split("\n")).toEqual([
      "payment_link_id must be given, as an id (a UUID): the list of payment links has it",
      expect.stringMatching(/^send_at must be given, as a date-time with its offset, such as [^%]*$/),
    ]);
  });

  it("says where an id is found that was taken for a number [completions.10.errors.steer]", () => {
    expect(said(getInvoice.input, { invoice_id: "NW-10114" })).toBe(
      'invoice_id must be an id (a UUID), not "NW-10114": look it up by `invoice_number` in the list of invoices, and take its `id`',
    );
    const link = { invoice_id: "NW-10114", installment_id: "1" };
    expect(said(createPaymentLinks.input, { links: [link] }).split("\n")).toEqual([
      expect.stringContaining("links[0].invoice_id must be an id (a UUID)"),
      expect.stringContaining("links[0].installment_id must be an id (a UUID)"),
    ]);
  });

  it("names the nearest of the known fields, or all of them [completions.10.errors.steer]", () => {
    expect(said(listInvoices.input, { invoiceNumber: "1" })).toBe(
      "invoiceNumber is not a known field: the nearest is `invoice_number`",
    );
    expect(said(listInvoices.input, { status: "open" })).toContain("the nearest is `collection_status`");
    expect(said(createPaymentLinks.input, { links: [{ amount: 5 }] })).toContain(
      "links[0].amount is not a known field: the nearest is `amount_minor`",
    );
    expect(said(getApiContext.input, { page: 1 })).toBe("page is not a known field: none is taken here");
    expect(unknownFieldWords("colour", ["limit", "order"])).toBe("is not a known field: known are limit, order");
    expect(nearest("x".repeat(50_000), ["limit"])).toBeNull();
  });

  it("names the nearest only where there is one, in the caller's sense [completions.10.errors.steer]", () => {
    const fields = (schema: z.ZodObject) => Object.keys(schema.shape);
    expect(["90", "30", "60", "61_90", "over90"].map((name) => nearest(name, BUCKETS))).toEqual([
      ...[null, null, null],
      ...["days_61_90", "over_90"],
    ]);
    expect(nearest("asc", ["overdue_desc", "outstanding_desc", "customer_asc"])).toBeNull();
    expect(["id", "sort_by", "status", "page"].map((name) => nearest(name, fields(listInvoices.input)))).toEqual([
      ...[null, "sort", "collection_status", "cursor"],
    ]);
    expect(nearest("id", ["invoice_id", "fields"])).toBe("invoice_id");
    expect(nearest("status", fields(listTasks.input))).toBe("state");
    expect(nearest("state", fields(listPayments.input))).toBe("erp_push_status");
    expect(nearest("customer", ["search", "customer_key"])).toBe("search");
  });

  it("sends nobody elsewhere for what is taken here [completions.10.errors.steer]", () => {
    const elsewhere = elsewhereIn([
      { name: "other", fields: ["cursor", "status", "invoice_id", "search", "customer_id", "bucket"] },
    ]);
    const words = (name: string, known: readonly string[]) => unknownFieldWords(name, known, { elsewhere });
    expect(words("page", ["cursor"])).toBe("is not a known field: the nearest is `cursor`");
    expect(words("id", ["invoice_id"])).toBe("is not a known field: the nearest is `invoice_id`");
    expect(words("status", ["state"])).toBe("is not a known field: the nearest is `state`");
    expect(words("bucket", ["limit"])).toBe("is not a known field: `other` takes it");
    expect(words("customer", ["customer_id"])).toBe(
      "is not a known field: the nearest is `customer_id`; `other` takes `search`",
    );
    expect(words("bucket", ["buckets"])).toBe("is not a known field: the nearest is `buckets`; `other` takes `bucket`");
  });

  it("shows nothing hidden and no more than a little of what was sent [completions.10.errors.own-words]", () => {
    const message = said(listInvoices.input, { collection_status: `op\u202Een\u200b${"x".repeat(5_000)}` });
    expect(message).not.toMatch(/[\u202E\u200b]/);
    expect(message.length).toBeLessThan(200);
  });

  it("never shows a secret that is not as it must be [completions.10.errors.own-words]", () => {
    const secret = "hunter2 hunter2";
    for (const { input } of COMMANDS)
      for (const name of Object.keys(input.shape).filter((field) => /password|secret|key/i.test(field)))
        expect(said(input, { [name]: `${secret}\n\n${secret}` })).not.toContain("hunter2");
  });

  it("holds for settings as well [completions.10.errors.own-words]", () => {
    const names = [
      ...["PORT", "PUBLIC_URL", "DATABASE_URL", "DEMO", "OAUTH_ISSUER", "OAUTH_TOKEN_PROFILE", "OAUTH_CLIENT_ID_CLAIM"],
      ...["SMTP_URL", "MAIL_FROM", "ENCRYPTION_KEY", "SECURITY_CONTACT", "TRUSTED_PROXIES", "RATE_LIMITS"],
      ...["METRICS_PORT", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER_ARG", "LOG_LEVEL"],
    ];
    for (const name of names) {
      const refused = () => readConfig({ [name]: "\u0001 nonsense @" });
      expect(refused).toThrow(new RegExp(`^${name}: `));
      expect(refused).not.toThrow(LIBRARY);
    }
  });
});
