import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { tools } from "../../tools/index.ts";
import type { Tool } from "../../tools/tool.ts";
import { refusal } from "../support/lists.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";
import { type Desk, openDesk, Refused } from "./desk.ts";

const Rows = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
/** Row fields that say how much. */
const AMOUNTS = (
  "total_amount erp_invoice_open_balance collection_outstanding overdue_outstanding amount_collected amount amount_minor " +
  "refunded_minor refunded available_amount outstanding overdue current days_1_30 days_31_60 days_61_90 over_90"
).split(" ");
/** Of an installment it says whether, of a customer how much. */
const isAmount = ({ name: tool }: Tool, field: string): boolean =>
  AMOUNTS.includes(field) || (tool === "list_customer_aging" && field === "past_expected");
/** What always comes of a row; a customer's currency is left out only where each customer comes once. */
const keyOf = ({ name, output }: Tool): string[] => [
  ...(output.properties.data?.items?.required ?? []),
  ...(name === "list_customer_aging" ? ["currency"] : []),
];
/** Of totals, the amounts asked for; all of them where they have none of these. */
function totalsFor(totals: unknown, fields: readonly string[]): unknown {
  const rows = z.array(z.record(z.string(), z.unknown())).parse(totals);
  const told = (name: string) => AMOUNTS.includes(name) || name === "past_expected";
  if (!rows.some((row) => fields.some((name) => told(name) && name in row))) return totals;
  const kept = (row: object) => Object.entries(row).filter(([name]) => !told(name) || fields.includes(name));
  return rows.map((row) => Object.fromEntries(kept(row)));
}
const ajv = new Ajv2020({ strict: true, allErrors: true, formats: fullFormats });

describe.each(STORES)("fields of every list on $name", ({ open }) => {
  const opened = useStore(open);
  let desk: Desk;
  const call: Desk["call"] = (...given) => desk.call(...given);

  beforeAll(async () => {
    desk = await openDesk(opened);
  });

  const lists = tools.filter((tool) => "pagination" in tool.output.properties);

  it.each(lists)("$name answers the fields asked for, and its rows' key [completions.3.fields]", async (tool) => {
    const { data: whole, ...envelope } = Rows.parse(await call(tool, {}));
    const key = keyOf(tool);
    const names = Object.keys(tool.output.properties.data?.items?.properties ?? {});
    const validate = ajv.compile(tool.output);
    for (const fields of [...names.map((name) => [name]), names.slice(1, 4).reverse(), names]) {
      const { data, ...rest } = Rows.parse(JSON.parse(JSON.stringify(await call(tool, { fields }))));
      const hasAmount = fields.some((name) => isAmount(tool, name));
      const shown = names.filter(
        (name) => key.includes(name) || fields.includes(name) || (hasAmount && name === "currency"),
      );
      const picked = whole.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => shown.includes(name))),
      );
      expect(data).toEqual(JSON.parse(JSON.stringify(picked)));
      if (hasAmount && "totals" in envelope) expect(rest.totals).toEqual(totalsFor(envelope.totals, fields));
      expect(Object.keys(rest)).toEqual(Object.keys(envelope).filter((name) => name !== "totals" || hasAmount));
      validate({ ...rest, data });
      expect(validate.errors).toBeNull();
    }
  });

  it.each(lists)(
    "$name tells the currency of each amount, and totals where asked [completions.3.fields]",
    async (tool) => {
      const names = Object.keys(tool.output.properties.data?.items?.properties ?? {});
      for (const name of AMOUNTS.filter((amount) => names.includes(amount))) {
        const { data } = Rows.parse(await call(tool, { fields: [name] }));
        for (const row of data) expect(Object.keys(row)).toEqual(expect.arrayContaining([name, "currency"]));
      }
      if (!("include_total" in tool.input.properties) || !("totals" in tool.output.properties)) return;
      const { totals } = Rows.parse(await call(tool, { include_total: true }));
      expect(totals).not.toEqual([]);
      expect(await call(tool, { include_total: true, fields: ["id"] })).toMatchObject({ totals });
    },
  );

  it.each(lists)("$name answers a part of an object by its name [completions.10.fields]", async (tool) => {
    const { data: whole } = Rows.parse(await call(tool, {}));
    const key = keyOf(tool);
    const validate = ajv.compile(tool.output);
    for (const [name, schema] of Object.entries(tool.output.properties.data?.items?.properties ?? {})) {
      const parts = Object.keys(schema.properties ?? {});
      for (const asked of [parts.slice(0, 1), parts.slice(1, 3).reverse(), parts].filter(({ length }) => length > 0)) {
        const fields = asked.map((part) => `${name}.${part}`);
        const answer = Rows.parse(JSON.parse(JSON.stringify(await call(tool, { fields }))));
        const picked = whole.map((row) => ({
          ...Object.fromEntries(Object.entries(row).filter(([field]) => key.includes(field))),
          [name]:
            row[name] === null
              ? null
              : Object.fromEntries(Object.entries(Object(row[name])).filter(([part]) => asked.includes(part))),
        }));
        expect(answer.data).toEqual(JSON.parse(JSON.stringify(picked)));
        validate(answer);
        expect(validate.errors).toBeNull();
        // Beside its own name a part adds nothing.
        const both = Rows.parse(await call(tool, { fields: [...fields, name] }));
        expect(both.data).toEqual(Rows.parse(await call(tool, { fields: [name] })).data);
      }
    }
  });

  it("takes customer_name for customer.name, and the other way round; what is included is asked for [completions.3.fields]", async () => {
    const rowsOf = async (name: string, args: object) => {
      const tool = tools.find((one) => one.name === name) ?? expect.fail(name);
      return Rows.parse(JSON.parse(JSON.stringify(await call(tool, args)))).data;
    };
    const [invoice] = await rowsOf("list_invoices", { fields: ["customer_name"], include: "installments" });
    expect(Object.keys(invoice ?? {}).sort()).toEqual(["customer", "id", "installments"]);
    const [task] = await rowsOf("list_tasks", { fields: ["customer.name"] });
    expect(Object.keys(task ?? {}).sort()).toEqual(["customer_name", "id"]);
  });

  it("get_context answers the fields asked for, and names those there are [completions.3.fields]", async () => {
    const tool = tools.find(({ name }) => name === "get_context") ?? expect.fail("get_context");
    const whole = Object(await call(tool, {}));
    const fields = ["business_date", "timezone"];
    expect(await call(tool, { fields })).toEqual({ timezone: whole.timezone, business_date: whole.business_date });
    const { error } = Refused.parse(await refusal(call(tool, { fields: ["today"], limit: 1 })));
    expect(error.details.map(({ field }) => field).sort()).toEqual(["fields[0]", "limit"]);
  });

  it("leads from a field's wrong name to the nearest, parts too [completions.10.fields]", async () => {
    const listInvoices = tools.find(({ name }) => name === "list_invoices") ?? expect.fail("list_invoices");
    const said = async (...fields: string[]) => {
      const { error } = Refused.parse(await refusal(call(listInvoices, { fields })));
      return error.details.map(({ field, message }) => `${field} ${message}`);
    };
    expect(await said("customer.nmae", "id", "customer_name", "invoiceNumber")).toEqual([
      'fields[0] must be a field of the rows, not "customer.nmae": the nearest is `customer.name`',
      'fields[3] must be a field of the rows, not "invoiceNumber": the nearest is `invoice_number`',
    ]);
    expect(await said("currency.code", "customer.address.city")).toEqual([
      'fields[0] must be a field of the rows, not "currency.code": the nearest is `currency`',
      'fields[1] must be a field of the rows, not "customer.address.city": the nearest is `customer`',
    ]);
    expect(await said("__proto__")).toEqual([
      expect.stringMatching(/^fields\[0\] must be one of id, invoice_number, .*customer\.name, .*, not "__proto__"$/),
    ]);
  });

  it.each(lists)(
    "$name looks at no more names than there are fields, and says so beside all else that is wrong [facts.inputs.bounded]",
    async (tool) => {
      const told = expect.arrayContaining([
        { field: "fields", message: expect.stringMatching(/^must have at most \d\d? items, not 5000$/) },
        { field: "limit", message: expect.any(String) },
      ]);
      for (const name of ["no_such_field", "id"]) {
        const names = Array<string>(5_000).fill(name);
        for (const fields of [names, JSON.stringify(names)]) {
          const begun = performance.now();
          expect(await refusal(call(tool, { fields, limit: 0 }))).toMatchObject({ error: { details: told } });
          // Without a bound, seconds; crowded machines count too.
          expect(performance.now() - begun).toBeLessThan(1_000);
        }
      }
    },
  );

  it.each(lists)(
    "$name names a field there is not, and all else that is wrong [completions.3.fields]",
    async (tool) => {
      const wrong = [["no_such_field"], [], "id", {}];
      for (const fields of wrong)
        expect(await refusal(call(tool, { fields, limit: 0 }))).toMatchObject({
          error: {
            code: "validation_failed",
            details: expect.arrayContaining([
              { field: expect.stringMatching(/^fields/), message: expect.any(String) },
              { field: "limit", message: expect.any(String) },
            ]),
          },
        });
      const refused = call(tool, { fields: ["no_such_field"] }, { ...desk.caller, scopes: [] });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
    },
  );
});
