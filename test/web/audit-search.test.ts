import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { entriesQuery } from "../../src/core/audit-trail/queries.ts";
import { recordDone } from "../../src/core/gate/audit.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the search of the audit trail on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** A workspace with an invoice of a customer, and another customer. */
  async function booked() {
    const { core } = site.app;
    const book = await openBook(core.store);
    const { tenantId } = book;
    const customer = await book.customer({ name: "Globex Söhne" });
    const idle = await book.customer({ name: "Idle Hands" });
    const { installments } = await book.invoice({ customer, invoice_number: "INV-77" }, [{}]);
    const { payment_link_id: link, payment_id: payment } = await furnishCollecting(core.store, installments[0]);
    const { memberId, email, browser } = await site.app.newcomer("admin", tenantId);
    const record = async (operation: string, type: string, id: string) => {
      const act = { actor: { kind: "person", tenantId, memberId } as const, operation, requestId: randomUUID() };
      await core.store.write(tenantId, (tx) => recordDone(tx, core, act, { type, id }));
      return act.requestId;
    };
    const entries = {
      link: await record("deactivatePaymentLink", "payment_link", link),
      batch: await record("pushHeldPayments", "payment_batch", `${payment} ${randomUUID()}`),
      customer: await record("setCustomerEmail", "customer", customer.customer_id),
      idle: await record("setCustomerEmail", "customer", idle.customer_id),
    };
    return { link, email, browser, entries };
  }

  it("finds what is about a customer, an object or says a text, and no more [completions.1.audit.search]", async () => {
    const { link, email, browser, entries } = await booked();
    await booked();
    const named = async (search: string) => {
      const { html } = await browser.open(`/audit?${new URLSearchParams({ search })}`);
      expect(html).toContain(`id="filter-search" name="search" type="search"`);
      return Object.entries(entries).flatMap(([name, id]) => (html.includes(id) ? [name] : []));
    };
    expect(await named("GLOBEX s")).toEqual(["link", "batch", "customer"]);
    expect(await named("inv-77")).toEqual(["link", "batch"]);
    expect(await named("Idle")).toEqual(["idle"]);
    expect(await named(link)).toEqual(["link"]);
    expect(await named(entries.batch)).toEqual(["batch"]);
    expect(await named(email.toUpperCase())).toEqual(Object.keys(entries));
    expect(await named("%_")).toEqual([]);
    const file = await browser.open("/audit.csv?search=inv-77");
    expect(file.headers.get("x-total-count")).toBe("2");
  });

  it("looks each entry up in what it finds, and compares it with no list of that [completions.1.audit.search]", async () => {
    const { tenantId } = await openBook(site.app.core.store);
    const plan = await site.app.core.store.read(tenantId, (tx) =>
      entriesQuery(tx, tenantId, { search: "gmbh" }).explain(),
    );
    const filter = JSON.stringify(plan).match(/Filter: .*?strpos\(lower\(.*?"/)?.[0];
    expect(filter).toMatch(/\?\| string_to_array/);
    expect(filter).not.toMatch(/&&|any \(/i);
  });
});
