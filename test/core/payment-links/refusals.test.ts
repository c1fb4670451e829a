import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type AssistantActor, SCOPES } from "../../../src/core/gate/actor.ts";
import { ERRORS, ServiceError } from "../../../src/core/kernel/error.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { createPaymentLink } from "../../../src/core/payment-links/operations/create-links.ts";
import createPaymentLinksTool from "../../../tools/create-payment-links.ts";
import { ask, askOverRest, callOnce, everythingOf, openCollectingBook, refusedBy } from "../../support/collecting.ts";
import { connectAssistant } from "../../support/rows.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(A_STORE)("a payment link that is refused on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "sandbox");
  let member: AssistantActor;

  beforeEach(async () => {
    member = (await connectAssistant(store, book.tenantId, { role: "admin", scopes: SCOPES })).actor;
  });

  /** Asks by every route; all refuse alike, and nothing has changed in the store. */
  async function expectRefused(
    asked: Record<string, unknown>,
    code: keyof typeof ERRORS,
    field: string | null,
  ): Promise<void> {
    const before = await everythingOf(app.core, book.tenantId);
    const names = (prefix: string) => (field === null ? [] : [`${prefix}${field}`]);
    const refused = (prefix: string) => ({ status: ERRORS[code].http, code, fields: names(prefix) });
    expect(refusedBy(await askOverRest(app, book, asked))).toEqual(refused(""));
    expect(refusedBy(await askOverRest(app, book, { links: [asked] }))).toEqual(refused("links[0]."));
    const error = await createPaymentLinksTool
      .call(member, { links: [asked], idempotency_key: randomUUID() }, { core: app.core, requestId: "req_test" })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ServiceError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
    expect(refusedBy({ status: error.httpStatus, body: error.toWire("req_test") })).toEqual(refused("links[0]."));
    expect(await everythingOf(app.core, book.tenantId)).toEqual(before);
  }

  const disconnect = () => act(disconnectIntegration, { provider: "sandbox" });

  it("names an invoice or an installment there is none of, or that is another's [service.7.not_found]", async () => {
    const owing = await book.owing("100.00");
    const other = await book.owing("100.00");
    const foreign = await openCollectingBook(app, "sandbox");
    const theirs = await foreign.owing("100.00");
    await expectRefused({ ...ask(owing), invoice_id: randomUUID() }, "not_found", "invoice_id");
    await expectRefused({ ...ask(owing), installment_id: randomUUID() }, "not_found", "installment_id");
    await expectRefused({ ...ask(owing), installment_id: ask(other).installment_id }, "not_found", "installment_id");
    await expectRefused(ask(theirs), "not_found", "invoice_id");
    await expectRefused({ ...ask(owing), installment_id: ask(theirs).installment_id }, "not_found", "installment_id");
  });

  it.each([
    "retired",
    "removed",
    "not_finalised",
    "closed",
    "excluded",
    "disputed",
    "nothing_outstanding",
    "no_billing_email",
  ] as const)("is of no installment that is not collectible: %s [completions.5.collectible]", async (reason) => {
    const owing = await book.owingIn({}, { not_collectible_reason: reason });
    await expectRefused(ask(owing, 0, 1), "installment_not_collectible", "installment_id");
  });

  it("needs a connected integration that charges the currency, in this order [completions.9.order]", async () => {
    const dollars = await book.owing("100.00");
    const pounds = await book.owingIn({ currency: "GBP" }, { not_collectible_reason: "currency_not_supported" });
    const closed = await book.owingIn({ currency: "GBP" }, { closed: true, not_collectible_reason: "closed" });
    await expectRefused(ask(pounds), "currency_not_supported", "invoice_id");
    await disconnect();
    await expectRefused(ask(dollars), "integration_unavailable", "installment_id");
    await expectRefused(ask(pounds), "integration_unavailable", "installment_id");
    await expectRefused(ask(closed), "installment_not_collectible", "installment_id");
    await expectRefused({ ...ask(closed), invoice_id: randomUUID() }, "not_found", "invoice_id");
  });

  it("needs an integration that is ready [service.7.integration_unavailable]", async () => {
    const owing = await book.owing("100.00");
    const { payments: _, ...core } = app.core;
    const without = callOnce(core, createPaymentLink, book.admin, ask(owing));
    await expect(without).rejects.toMatchObject({ code: "integration_unavailable" });
    expect(await book.links()).toEqual([]);
  });

  it("asks for no more than is available, and says how much is [completions.5.available]", async () => {
    const owing = await book.owing("100.00");
    await expectRefused(ask(owing, 0, 10_001), "amount_exceeds_available", "amount_minor");
    await book.issue(owing, 4_000);
    await expectRefused(ask(owing, 0, 6_001), "amount_exceeds_available", "amount_minor");
    const { body } = await askOverRest(app, book, ask(owing, 0, 6_001));
    expect(body).toMatchObject({ error: { message: expect.stringContaining("6000") } });
    await book.issue(owing, 6_000);
    expect((await book.links()).map((link) => link.amount_minor).sort()).toEqual(["4000", "6000"]);
  });

  it("conflicts where live links cover the installment, whatever the amount [completions.9.order]", async () => {
    const owing = await book.owing("100.00");
    await book.issue(owing);
    await expectRefused(ask(owing), "conflict", "installment_id");
    await expectRefused(ask(owing, 0, 1), "conflict", "installment_id");
    await expectRefused(ask(owing, 0, 99_999), "conflict", "installment_id");
  });

  it("names the links in the way [completions.10.errors.steer]", async () => {
    const owing = await book.owing("100.00");
    const { id } = await book.issue(owing, 6_000);
    const tooMuch = await askOverRest(app, book, ask(owing, 0, 4_001));
    expect(tooMuch.body).toMatchObject({ error: { message: expect.stringContaining(id) } });
    await book.issue(owing);
    const covered = await askOverRest(app, book, ask(owing));
    expect(covered.body).toMatchObject({ error: { code: "conflict", message: expect.stringContaining(id) } });
  });

  it.each([
    ["amount_minor", { amount_minor: 0 }],
    ["amount_minor", { amount_minor: -1 }],
    ["amount_minor", { amount_minor: 1.5 }],
    ["amount_minor", { amount_minor: 2 ** 53 }],
    ["installment_id", { installment_id: "1" }],
    ["currency", { currency: "USD" }],
    ["tenant_id", { tenant_id: "x" }],
  ])("takes nothing that is malformed or unknown: %s %j [service.7.validation_failed]", async (field, fault) => {
    const owing = await book.owing("100.00");
    await expectRefused({ ...ask(owing), ...fault }, "validation_failed", field);
  });

  it("takes 1 to 12 links, and names each that is at fault [completions.5.batch]", async () => {
    const owing = await book.owing("100.00");
    const before = await everythingOf(app.core, book.tenantId);
    for (const links of [[], Array.from({ length: 13 }, () => ask(owing, 0, 1))])
      expect(refusedBy(await askOverRest(app, book, { links }))).toEqual({
        status: 400,
        code: "validation_failed",
        fields: ["links"],
      });
    const links = [
      ...Array.from({ length: 3 }, () => ask(owing, 0, 1)),
      ask(owing, 0, 20_000),
      { ...ask(owing, 0, 1), installment_id: randomUUID() },
    ];
    expect(refusedBy(await askOverRest(app, book, { links }))).toEqual({
      status: 422,
      code: "amount_exceeds_available",
      fields: ["links[3].amount_minor", "links[4].installment_id"],
    });
    const malformed = [ask(owing, 0, 1), ask(owing, 0, 0)];
    expect(refusedBy(await askOverRest(app, book, { links: malformed }))).toMatchObject({
      code: "validation_failed",
      fields: ["links[1].amount_minor"],
    });
    expect(await everythingOf(app.core, book.tenantId)).toEqual(before);
  });

  it("is refused without the permission, the role or the scope [service.5.2.links]", async () => {
    const owing = await book.owing("100.00");
    const reader = { ...book.admin, permission: "readonly" as const };
    for (const actor of [reader, { ...member, role: "member" as const }, { ...member, scopes: SCOPES.slice(0, 1) }]) {
      const refused = createPaymentLink.call(actor, ask(owing), {
        core: app.core,
        requestId: "r",
        idempotencyKey: "key-1",
      });
      await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
    }
    expect(await book.links()).toEqual([]);
  });
});
