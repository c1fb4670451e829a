import { describe, expect, it } from "vitest";
import { type AssistantActor, SCOPES } from "../../../src/core/gate/actor.ts";
import { createPaymentLink, createPaymentLinks } from "../../../src/core/payment-links/operations/create-links.ts";
import { openTask } from "../../../src/core/tasks/open-task.ts";
import createPaymentLinksTool from "../../../tools/create-payment-links.ts";
import { ask, askOverRest, callOnce, linkIn, type Owing } from "../../support/collecting.ts";
import { connectAssistant } from "../../support/rows.ts";
import { rowsOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(storesOf(import.meta.url))("payment links on $name", ({ open }) => {
  const { app, book, store } = useCollecting(open, "stripe");

  const create = (input: object, key?: string) => callOnce(app.core, createPaymentLink, book.admin, input, key);
  const createAll = (...links: object[]) => callOnce(app.core, createPaymentLinks, book.admin, { links });
  const read = (owing: Owing) => book.read(owing.invoice.invoice_id);
  const tasks = () => rowsOf(store, book.tenantId, "tasks", {}, "created_at");
  const audited = async () =>
    (await rowsOf(store, book.tenantId, "audit_entries")).filter((entry) => entry.actor_kind !== "operator");

  it("answers 201 with the whole link, and the same again by GET [completions.4.link] [completions.5.create] [completions.13.money-twins]", async () => {
    const owing = await book.owing("100.00");
    const made = await askOverRest(app, book, ask(owing, 0, 2_550), "key-1");
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      invoice_id: owing.invoice.invoice_id,
      invoice_number: "INV-7",
      customer_id: null,
      customer_name: null,
      installment_id: owing.installments[0]?.installment_id,
      payment_integration_id: book.integrationId,
      amount_minor: 2_550,
      amount: "25.50",
      currency: "USD",
      url: expect.stringMatching(/^http/),
      status: "active",
      email: null,
      created_at: app.clock.now().toISOString(),
      updated_at: expect.any(String),
      created_by: { kind: "api_key", id: book.admin.keyId, name: "admin" },
      paid_at: null,
      deactivated_at: null,
    });
    const { id } = linkIn(made.body);
    expect(await book.link(id)).toEqual(made.body);
    const again = await askOverRest(app, book, ask(owing, 0, 2_550), "key-1");
    expect({ status: again.status, text: again.text }).toEqual({ status: 201, text: made.text });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(app.stripe.links.filter((link) => Object.values(link.metadata).includes(id))).toHaveLength(1);
  });

  it.each([
    ["USD", "100.009", 10_000],
    ["JPY", "5000.9", 5_000],
    ["KWD", "12.3459", 12_340],
  ])(
    "takes exactly what is left, rounded down to what %s can be charged in [completions.9.rounding]",
    async (...given) => {
      const [currency, amount, minor] = given;
      const owing = await book.owingIn({ currency }, { original_amount: amount });
      expect(await create(ask(owing))).toMatchObject({ amount_minor: minor, currency });
    },
  );

  it("makes several on one installment, which share what is available [completions.5.batch-shares] [completions.4.available]", async () => {
    const owing = await book.owing("100.00", "50.00");
    const { data } = await createAll(ask(owing, 0, 3_000), ask(owing, 1), ask(owing, 0));
    expect(data.map((link) => [link.installment_id, link.amount_minor])).toEqual([
      [owing.installments[0]?.installment_id, 3_000],
      [owing.installments[1]?.installment_id, 5_000],
      [owing.installments[0]?.installment_id, 7_000],
    ]);
    expect((await read(owing)).installments.map((part) => part.available_amount)).toEqual(["0.00", "0.00"]);
    const more = await book.owing("100.00");
    await expect(createAll(ask(more), ask(more, 0, 1))).rejects.toMatchObject({ code: "conflict" });
    expect((await read(more)).installments[0]?.available_amount).toBe("100.00");
    expect(await book.links()).toHaveLength(3);
  });

  it("configures the invoice's open task, once [service.3.4.configured]", async () => {
    const owing = await book.owing("100.00");
    const { tenantId } = book;
    const { invoice_id: invoiceId } = owing.invoice;
    await store.write(tenantId, (tx) => openTask(tx, app.core, { tenantId, invoiceId, assigneeId: null }));
    expect(await tasks()).toMatchObject([{ state: "open", configured_at: null }]);
    const at = app.clock.now().toISOString();
    await create(ask(owing, 0, 5_000));
    expect(await tasks()).toMatchObject([{ state: "configured", configured_at: at }]);
    app.clock.advance(60_000);
    await create(ask(owing));
    expect(await tasks()).toMatchObject([{ state: "configured", configured_at: at }]);
  });

  it("marks the invoice, without moving updated_at [service.2.3.active-link]", async () => {
    const owing = await book.owing("100.00");
    const before = await read(owing);
    expect(before.has_active_payment_link).toBe(false);
    await create(ask(owing));
    const after = await read(owing);
    const { installments, collection_updated_at } = after;
    const moved = { has_active_payment_link: true, available_amount: "0.00", installments, collection_updated_at };
    expect(collection_updated_at > before.collection_updated_at).toBe(true);
    expect(before.available_amount).toBe("100.00");
    expect(after).toEqual({ ...before, ...moved });
    expect(after.installments).toMatchObject([{ available_amount: "0.00", collection_outstanding: "100.00" }]);
  });

  it("leaves one audit entry of a call, by either route [completions.1.link-audit]", async () => {
    const owing = await book.owing("100.00", "50.00");
    const link = await create(ask(owing, 0, 1_000));
    const entry = { outcome: "succeeded", request_id: "req_test", connection_id: null, actor_kind: "api_key" };
    expect(await audited()).toMatchObject([
      { ...entry, operation: "createPaymentLink", object_type: "payment_link", object_id: link.id },
    ]);
    const { actor } = await connectAssistant(store, book.tenantId, { role: "admin", scopes: SCOPES });
    const links = [ask(owing, 0, 1_000), ask(owing, 1)];
    const { data } = await byTool(actor, links);
    expect(data).toMatchObject([
      { created_by: { kind: "member", id: actor.memberId } },
      { created_by: { kind: "member", id: actor.memberId } },
    ]);
    expect((await audited()).find((one) => one.actor_kind === "assistant")).toMatchObject({
      operation: "createPaymentLinks",
      actor_id: actor.memberId,
      connection_id: actor.connectionId,
      object_type: "payment_link_batch",
      object_id: (await book.links()).find((row) => row.payment_link_id === data[0]?.id)?.reservation_id,
      outcome: "succeeded",
    });
    expect(await audited()).toHaveLength(2);
  });

  it("leaves one, failed, of a call that the provider refused [completions.1.link-audit]", async () => {
    const owing = await book.owing("100.00");
    app.stripe.control({ mode: "403" });
    await expect(create(ask(owing))).rejects.toMatchObject({ code: "integration_unavailable" });
    app.stripe.control({ mode: "ok" });
    expect(await audited()).toMatchObject([{ operation: "createPaymentLink", outcome: "failed" }]);
  });

  const byTool = async (actor: AssistantActor, links: object[]) => {
    const args = { links, idempotency_key: "key-1" };
    const answer = await createPaymentLinksTool.call(actor, args, { core: app.core, requestId: "req_test" });
    return createPaymentLinks.output.parse(answer);
  };

  it("asks Stripe for just that, under the link's own key [contract.stripe.request]", async () => {
    const owing = await book.owing("100.00");
    const { id } = await create(ask(owing));
    const [request] = app.stripe.requests.filter((seen) => seen.method === "POST");
    expect(request?.headers["idempotency-key"]).toBe(`payment-link/${id}/1`);
    expect(app.stripe.links.at(-1)?.parameters).toMatchObject({
      line_items: [{ price_data: { currency: "usd", unit_amount: 10_000 } }],
      restrictions: { completed_sessions: { limit: 1 } },
    });
  });
});
