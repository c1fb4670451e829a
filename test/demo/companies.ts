import { expect } from "vitest";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";

/** A workspace could be a real company's: two currencies, most of it not overdue, customers with names, people and addresses. */
export async function expectCompany(core: Core, actor: ApiKeyActor, [main, other]: readonly [string, string]) {
  const { totals } = await summarizeAging.call(actor, {}, { core, requestId: "test" });
  const of = (currency: string) => totals.find((total) => total.currency === currency);
  expect(totals.map(({ currency }) => currency).sort()).toEqual([main, other].sort());
  expect(Number(of(main)?.outstanding)).toBeGreaterThan(Number(of(other)?.outstanding));
  for (const { outstanding, overdue } of totals) expect(Number(overdue) / Number(outstanding)).toBeLessThan(0.5);

  const { customers, currencies } = await core.store.read(actor.tenantId, async (tx) => ({
    customers: await tx.selectFrom("customers").select(["name", "contact_name", "email"]).execute(),
    currencies: await tx.selectFrom("invoices").select("currency").distinct().execute(),
  }));
  expect(new Set(currencies.map(({ currency }) => currency))).toEqual(new Set([main, other]));
  expect(new Set(customers.map(({ name }) => name)).size).toBe(customers.length);
  for (const { name, contact_name: contact, email } of customers) {
    expect(name).toMatch(/^[\p{Script=Latin}'’.& -]+$/u);
    expect(contact).toMatch(/^\p{Lu}/u);
    if (email !== null) expect(email).toMatch(/^accounts@[a-z-]+\.example$/);
  }
}
