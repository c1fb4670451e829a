import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { type AssistantActor, SCOPES } from "../../../src/core/gate/actor.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import { money } from "../../../src/core/kernel/money.ts";
import { RECEIPTS_QUEUED } from "../../../src/core/payments/receipts/claimed-push.ts";
import tool from "../../../tools/push-held-payments.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { makeTenant } from "../../support/pulls.ts";
import { type PushWorld, usePushWorld } from "../../support/pushes.ts";
import { errorOf, newKey, openRestApp, type RestApp, send } from "../../support/rest-app.ts";
import { connectAssistant } from "../../support/rows.ts";
import { rowsOf } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";

const PATH = "/v1/payments/push-held";

describe.each(A_STORE)("held receipts on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, payments, invoice, act } = world;
  let app: RestApp;
  let key: string;
  let admin: AssistantActor;

  beforeEach(async () => {
    const { tenantId, connectionId } = world;
    app = await openRestApp(core, { limited: false });
    key = await newKey(core, tenantId);
    admin = (await connectAssistant(core.store, tenantId, { role: "admin", scopes: SCOPES })).actor;
    await pull();
    await act(setErp, { connectionId, paymentPushMode: "held" });
  });
  afterEach(() => app.close());

  const rest = (json: unknown, idempotencyKey: string = randomUUID(), by = key) =>
    send(`${app.url}${PATH}`, { method: "POST", key: by, json, headers: { "Idempotency-Key": idempotencyKey } });
  const assistant = (args: object, actor = admin) =>
    tool.call(actor, { idempotency_key: randomUUID(), ...args }, { core: core, requestId: "req_test" });

  /** Both routes refuse alike, and nothing moves. */
  async function bothRefuse(input: object, expected: object, { payments }: PushWorld = world): Promise<void> {
    const before = await payments();
    const { status: httpStatus, body } = await rest(input);
    const { code, message, details } = errorOf(body);
    expect({ httpStatus, code, message, details }).toMatchObject(expected);
    await expect(assistant(input)).rejects.toMatchObject(expected);
    expect(await payments()).toEqual(before);
  }

  it("are pushed by nobody, whatever the mode becomes, until a person does [completions.7.push-mode]", async () => {
    const id = await pay("one", "10");
    expect(await payment(id)).toMatchObject({ erp_push_status: "held" });
    expect(await invoice("one")).toMatchObject({ erp_push_state: "pending", has_held_payment: true });
    await act(setErp, { connectionId: world.connectionId, paymentPushMode: "automatic" });
    clock.advance(60_000);
    await pull();
    expect(await push()).toBe(0);
    const later = await pay("one", "20");
    expect(await push()).toBe(1);
    expect([(await payment(id)).erp_push_status, (await payment(later)).erp_push_status]).toEqual(["held", "applied"]);
    expect(erp.receipts).toMatchObject([{ amount: "20" }]);
  });

  it("of a connection are all queued, and applied from there on [completions.5.push-held] [completions.9.push-none]", async () => {
    const { connectionId } = world;
    const { promise: told, resolve } = Promise.withResolvers<string>();
    const unsubscribe = core.store.subscribe(
      ({ topic, payload }) => void (topic === RECEIPTS_QUEUED && resolve(payload)),
    );
    const ids = [await pay("one", "10")];
    clock.advance(1);
    ids.push(await pay("two", "20", 1));
    const before = await invoice("one");
    const { status, body } = await rest({ connection_id: connectionId });
    expect(status).toBe(202);
    expect(body).toEqual({ data: ids.map((id) => ({ payment_id: id, erp_push_status: "pending" })) });
    expect(await told).toBe(world.tenantId);
    unsubscribe();
    expect(await invoice("one")).toEqual({ ...before, has_held_payment: false });
    expect(await push()).toBe(2);
    for (const id of ids) expect((await payment(id)).erp_push_status).toBe("applied");
    expect(erp.receipts.map((receipt) => receipt.amount).sort()).toEqual(["10", "20"]);
    expect(await rest({ connection_id: connectionId })).toMatchObject({ status: 202, body: { data: [] } });
    expect(await assistant({ connection_id: connectionId })).toEqual({ data: [] });
  });

  it("that are named are queued in their order, once each, others stay held [completions.5.push-held]", async () => {
    const [first, second, other] = [await pay("one", "1"), await pay("one", "2"), await pay("one", "3")];
    const asked = [second, first, second.toUpperCase()];
    expect(await assistant({ payment_ids: asked })).toEqual({
      data: [second, first].map((id) => ({ payment_id: id, erp_push_status: "pending" })),
    });
    expect((await payment(other)).erp_push_status).toBe("held");
  });

  it("are not pushed when one of them is not held [completions.5.push-held-errors]", async () => {
    const { tenantId } = world;
    const [held, gone] = [await pay("one", "1"), await pay("one", "2")];
    await assistant({ payment_ids: [gone] });
    const message = `Not held: ${gone}. None was pushed.`;
    await bothRefuse({ payment_ids: [held, gone] }, { httpStatus: 409, code: "conflict", message });
    await push();
    await bothRefuse({ payment_ids: [gone, held] }, { httpStatus: 409, code: "conflict" });
    const local = await act(createLocalInvoice, {
      number: "L-1",
      customerName: "Globex",
      currency: "USD",
      amount: "5",
    });
    const paid = { tenantId, invoiceId: local.id, installmentId: null, amount: money("5") };
    const without = await core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, paid));
    await bothRefuse({ payment_ids: [without] }, { httpStatus: 409, code: "conflict" });
    expect((await payment(held)).erp_push_status).toBe("held");
  });

  it("of another workspace are not there [completions.5.push-held-errors]", async () => {
    const { connectionId } = world;
    const id = await pay("one", "1");
    const absent = { httpStatus: 404, code: "not_found" };
    const [one, other] = [randomUUID(), randomUUID()];
    const message = `No such payment: ${one}, ${other}. None was pushed.`;
    await bothRefuse({ payment_ids: [one, id, other] }, { ...absent, message });
    await bothRefuse({ connection_id: randomUUID() }, absent);
    const neighbour = await newKey(core, await makeTenant(core));
    expect(await rest({ payment_ids: [id] }, randomUUID(), neighbour)).toMatchObject({ status: 404 });
    expect(await rest({ connection_id: connectionId }, randomUUID(), neighbour)).toMatchObject({ status: 404 });
  });

  it("are asked for by one of two fields, which are named when it is neither or both [completions.5.push-held-one-of]", async () => {
    const { connectionId } = world;
    const both = { details: [{ field: "connection_id" }, { field: "payment_ids" }] };
    const notValid = { httpStatus: 400, code: "validation_failed" };
    await bothRefuse({}, { ...notValid, ...both });
    await bothRefuse({ connection_id: connectionId, payment_ids: [randomUUID()] }, { ...notValid, ...both });
    const ids = Array.from({ length: 101 }, () => randomUUID());
    for (const payment_ids of [[], ids])
      await bothRefuse({ payment_ids }, { ...notValid, details: [{ field: "payment_ids" }] });
    await bothRefuse({ payment_ids: ["x"] }, { ...notValid, details: [{ field: "payment_ids[0]" }] });
    await bothRefuse({ connection_id: "x" }, { ...notValid, details: [{ field: "connection_id" }] });
    expect(await rest({ payment_ids: ids.slice(0, 100) })).toMatchObject({ status: 404 });
  });

  it("are queued once for each key [completions.9.push-key] [completions.5.push-held]", async () => {
    const id = await pay("one", "10");
    const json = { payment_ids: [id] };
    const bare = await send(`${app.url}${PATH}`, { method: "POST", key, json });
    expect([bare.status, errorOf(bare.body).code]).toEqual([400, "idempotency_key_required"]);
    await expect(tool.call(admin, json, { core, requestId: "req_test" })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ field: "idempotency_key" }],
    });
    const [first, again] = [await rest(json, "key-1"), await rest(json, "key-1")];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
    expect([first, again].map(({ headers }) => headers.get("Idempotency-Replayed"))).toEqual([null, "true"]);
    const other = await rest({ payment_ids: [randomUUID()] }, "key-1");
    expect([other.status, errorOf(other.body).code]).toEqual([409, "idempotency_conflict"]);
    await push();
    expect((await rest(json, "key-1")).body).toEqual(first.body);
    expect(await payments()).toMatchObject([{ erp_push_status: "applied" }]);
    expect(erp.receipts).toHaveLength(1);
  });

  it("are an admin's to push, and the push is written down [completions.2.receipts-push]", async () => {
    const { tenantId, connectionId } = world;
    const ids = [await pay("one", "1"), await pay("one", "2"), await pay("one", "3")];
    const reader = await newKey(core, tenantId, "readonly");
    const refused = await rest({ connection_id: connectionId }, randomUUID(), reader);
    expect([refused.status, errorOf(refused.body).code]).toEqual([403, "permission_denied"]);
    const denied = { code: "permission_denied" };
    await expect(assistant({ payment_ids: ids }, { ...admin, role: "member" })).rejects.toMatchObject(denied);
    const scopes = SCOPES.filter((scope) => scope !== "receipts:push");
    const stepUp = { ...denied, missingScope: "receipts:push" };
    await expect(assistant({ payment_ids: ids }, { ...admin, scopes })).rejects.toMatchObject(stepUp);

    await rest({ payment_ids: ids.slice(0, 1) });
    await assistant({ payment_ids: ids.slice(1) });
    await pay("one", "4");
    await assistant({ connection_id: connectionId });
    // Nothing is held by now.
    await assistant({ connection_id: connectionId });
    const entries = await rowsOf(core.store, tenantId, "audit_entries", { operation: "pushHeldPayments" });
    const done = { outcome: "succeeded" };
    expect(entries).toHaveLength(3);
    for (const entry of [
      { ...done, actor_kind: "api_key", object_type: "payment", object_id: ids[0] },
      { ...done, actor_kind: "assistant", object_type: "payment_batch", object_id: `${ids[1]} ${ids[2]}` },
      { ...done, actor_kind: "assistant", object_type: "erp_connection", object_id: connectionId },
    ])
      expect(entries).toContainEqual(expect.objectContaining(entry));
  });

  it("are not queued for a connection that is switched off", async () => {
    const { connectionId } = world;
    const id = await pay("one", "1");
    await act(disconnectErp, { connectionId });
    const off = { httpStatus: 422, code: "connection_disconnected" };
    await bothRefuse({ connection_id: connectionId }, off);
    await bothRefuse({ payment_ids: [id] }, off);
  });

  it.each(["by their ids", "of their connection"])(
    "leave one receipt each, of twenty that push them at once %s [completions.5.push-held-errors] [completions.5.parallel-pushes]",
    async (how) => {
      const ids = [await pay("one", "1"), await pay("two", "2"), await pay("two", "3", 1)];
      const asked = (index: number) =>
        how === "by their ids"
          ? { payment_ids: index % 2 === 0 ? ids : ids.toReversed() }
          : { connection_id: world.connectionId };
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const { status, body } = await rest(asked(index));
          await push();
          return { status, pushed: status === 202 ? Object(body).data : [] };
        }),
      );
      const refused = how === "by their ids" ? 19 : 0;
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(refused);
      expect(answers.flatMap(({ pushed }) => pushed)).toHaveLength(ids.length);
      await push();
      expect((await payments()).map((row) => row.erp_push_status)).toEqual(["applied", "applied", "applied"]);
      expect(erp.receipts.map((receipt) => receipt.amount).sort()).toEqual(["1", "2", "3"]);
    },
  );
});
