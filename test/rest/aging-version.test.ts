import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { noteFinishedRun } from "../../src/core/erp-access/connection-status-queries.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { disconnectIntegration } from "../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { insertLinks } from "../../src/core/payment-links/link-queries.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { touchCustomers } from "../../src/store/aging/rollup.ts";
import type { CustomerRow } from "../../src/store/tables/invoices.ts";
import { connectionRow } from "../support/book.ts";
import {
  type CollectingApp,
  type CollectingBook,
  openCollectingApp,
  openCollectingBook,
} from "../support/collecting.ts";
import { linkRow } from "../support/furnish.ts";
import { call } from "../support/lists.ts";
import { send } from "../support/rest-app.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** Leaves of an answer or of its schema, by their paths: those of all rows together. */
function leaves(value: unknown, path = "", found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object")) return found.set(path, value);
    for (const one of value) leaves(one, `${path}[]`, found);
  } else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) leaves(one, path === "" ? name : `${path}.${name}`, found);
  else found.set(path, [...(found.get(path) ?? []), value]);
  return found;
}

const Schema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});
/** The paths of a schema's leaves. */
function pathsOf(schema: unknown, path = ""): string[] {
  const { properties, items } = Schema.parse(schema);
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, one]) => pathsOf(one, path === "" ? name : `${path}.${name}`));
  const inside = items === undefined ? null : Schema.parse(items);
  return inside?.properties === undefined ? [path] : pathsOf(inside, `${path}[]`);
}

const EACH = "include=payment_history&limit=100";
/** Asked again after each change. The last finds nobody. */
const ASKED = [
  { path: `/v1/aging/summary?group_by=connection&${EACH}`, operation: summarizeAging },
  { path: `/v1/aging/customers?${EACH}`, operation: listCustomerAging },
  { path: `/v1/aging/installments?${EACH}`, operation: listAgingInstallments },
  { path: `/v1/aging/installments?limit=2&search=globex`, operation: listAgingInstallments },
  { path: "/v1/aging/customers?search=zanzibar", operation: listCustomerAging },
] as const;
/** What follows from the request, or from nothing. */
const CONSTANT = ["generated_at", "balance_basis", "pagination.limit"];

describe.each(STORES)("the version of aging on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;
  let book: CollectingBook;
  let customer: CustomerRow;
  beforeAll(async () => {
    app = await openCollectingApp(opened);
    book = await openCollectingBook(app, "sandbox");
    customer = await book.customer({ name: "Globex", email: null });
  });
  afterAll(() => app.close());

  it("is another whenever a field of the answer is, and the same while none is [completions.13.etag-fields]", async () => {
    const { store } = opened;
    const { tenantId, connectionId, key } = book;
    const today = (): string => app.clock.now().toISOString().slice(0, 10);
    const seenToChange = new Set<string>();

    const look = (path: string, known?: string) =>
      send(`${app.url}${path}`, { key, headers: known === undefined ? {} : { "If-None-Match": known } });
    const lookAll = () => Promise.all(ASKED.map(({ path }) => look(path)));
    const fields = (body: unknown): Map<string, unknown[]> => {
      const found = leaves(body);
      for (const name of CONSTANT) found.delete(name);
      return found;
    };
    let before = await lookAll();
    /** Does something, and sees the fields named change, each under another version, and an unchanged answer kept. */
    const change = async (what: string, moved: readonly string[], work: () => Promise<unknown>): Promise<void> => {
      await work();
      const movedNow = new Set<string>();
      for (const [at, { path }] of ASKED.entries()) {
        const known = before[at]?.headers.get("ETag") ?? "";
        const [again, now] = [await look(path, known), await look(path)];
        const [was, is] = [fields(before[at]?.body), fields(now.body)];
        const names = [...new Set([...was.keys(), ...is.keys()])];
        const differ = names.filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)));
        for (const name of differ) movedNow.add(name);
        if (again.status === 304) expect({ what, path, differ }).toEqual({ what, path, differ: [] });
        else expect(now.headers.get("ETag")).not.toBe(known);
        expect((await look(path, now.headers.get("ETag") ?? "")).status).toBe(304);
      }
      expect({ what, missing: moved.filter((name) => !movedNow.has(name)) }).toEqual({ what, missing: [] });
      for (const name of movedNow) seenToChange.add(name);
      before = await lookAll();
    };
    const owe = (currency: string, ...parts: { due_date: string; closed?: boolean; closed_on?: string }[]) =>
      book.invoice(
        { customer, currency, updated_at: app.clock.now().toISOString(), invoice_number: `INV-${currency}` },
        parts.map((part) => ({
          ...part,
          ...(part.closed && { erp_outstanding: "0", not_collectible_reason: "closed" as const }),
        })),
      );

    // Debts, their invoices, and who owes them.
    await change("a debt", ["totals[].currency", "currencies", "data_updated_at", "data[].invoice_id"], () =>
      owe("USD", { due_date: addDays(today(), -5) }, { due_date: addDays(today(), 20) }),
    );
    const debt = await owe("EUR", { due_date: addDays(today(), -40) });
    const [part] = debt.installments;
    if (part === undefined) throw new Error("it has one");
    await change(
      "one without an invoice's customer",
      ["data[].customer_id", "data[].installment_id", "data[].sequence_number"],
      () =>
        book.invoice({
          currency: "JPY",
          due_date: addDays(today(), -70),
          customer_name: "Walk-in",
          customer_number: "7",
        }),
    );
    await change("a customer's name", ["data[].customer_name"], () =>
      store.write(tenantId, async (tx) => {
        touchCustomers(tx, [customer.customer_id]);
        await tx
          .updateTable("customers")
          .set({ name: "Globex II" })
          .where("customer_id", "=", customer.customer_id)
          .execute();
        await tx
          .updateTable("invoices")
          .set({ customer_name: "Globex II" })
          .where("customer_id", "=", customer.customer_id)
          .execute();
      }),
    );
    await change(
      "somebody who owes nothing",
      ["nearest[].name", "nearest[].customer_id", "nearest[].number", "nearest[].is_match"],
      async () => {
        const made = await book.customer({ name: "Zanzibar Trading" });
        await store.write(tenantId, async (tx) => touchCustomers(tx, [made.customer_id]));
      },
    );
    // What is available, and why a debt is not collectible.
    let linkId = "";
    await change("an email", ["data[].not_collectible_reasons"], () =>
      operate(app.core, tenantId, setCustomerEmail, { customerId: customer.customer_id, email: "ar@globex.example" }),
    );
    await change("a link", ["data[].available_amount"], async () => {
      linkId = (await book.issue(debt, 1_000)).id;
    });
    await change("a link withdrawn", ["data[].available_amount"], () =>
      call(app.core, deactivatePaymentLink, book.admin, { payment_link_id: linkId }),
    );
    await change("a link that is being made", ["data[].available_amount"], () =>
      store.write(tenantId, (tx) => insertLinks(tx, [linkRow(part, book.integrationId, { state: "reserved" })])),
    );
    await change("a provider disconnected", ["data[].not_collectible_reason", "data[].collectible"], () =>
      operate(app.core, tenantId, disconnectIntegration, { provider: "sandbox" }),
    );
    // Freshness and names of the ERPs.
    await change("a sync", ["totals[].as_of", "data[].as_of", "groups[].as_of"], () =>
      store.write(tenantId, (tx) =>
        noteFinishedRun(
          tx,
          { tenant_id: tenantId, connection_id: connectionId },
          { at: app.clock.now().toISOString(), contact: "answered", isSuccess: true },
        ),
      ),
    );
    await change("an ERP's name", ["groups[].connection_name"], () =>
      operate(app.core, tenantId, setErp, { connectionId, name: "Fusion, Europe" }),
    );
    await change("another ERP", ["groups[].group"], async () => {
      const other = connectionRow(tenantId, { name: "Other" });
      await book.insert({ erp_connections: [other] });
      await book.invoice({ customer, connection_id: other.connection_id }, [{ due_date: addDays(today(), -100) }]);
    });
    // How customers pay.
    const paid = (late: number) => ({
      ...{ due_date: addDays(today(), -100), closed: true, closed_on: addDays(today(), late - 100) },
    });
    await change(
      "payments",
      ["data[].median_days_late", "data[].on_time_share", "data[].expected_date", "data[].past_expected"],
      () => owe("USD", paid(0), paid(2), paid(40), { due_date: today() }),
    );
    // Days: the report is of the workspace's own.
    await change("a timezone", ["timezone"], () =>
      operate(app.core, tenantId, setWorkspace, { timezone: "Etc/GMT-1" }),
    );
    await change("a day", ["report_date", "data[].days_overdue", "data[].max_days_overdue"], async () =>
      app.clock.advance(40 * 86_400_000),
    );
    await change("a closing that left the two years", ["data[].paid_installments"], async () =>
      app.clock.advance(730 * 86_400_000),
    );

    const all = ASKED.flatMap(({ operation }) => pathsOf(z.toJSONSchema(operation.output, { unrepresentable: "any" })));
    expect([...new Set(all)].filter((path) => ![...seenToChange, ...CONSTANT].includes(path))).toEqual([]);
  });
});
