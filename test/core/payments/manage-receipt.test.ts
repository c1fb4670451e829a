import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readAuditTrail } from "../../../src/core/audit-trail/read-audit-trail.ts";
import { disconnectErp } from "../../../src/core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import type { Manager } from "../../../src/core/gate/actor.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { pushPayment } from "../../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { claimPush } from "../../../src/core/payments/receipts/claimed-push.ts";
import { receiptNumberOf } from "../../../src/gateways/erp/receipt-number.ts";
import { freshRequest } from "../../support/acting.ts";
import { peopleOf } from "../../support/people.ts";
import { quickConnect } from "../../support/pulls.ts";
import { usePushWorld } from "../../support/pushes.ts";
import { setRows, trailOf } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";

const MINUTE = 60_000;
const REFUSED = { mode: "refuse", resource: "standardReceipts", method: "POST" } as const;

describe.each(storesOf(import.meta.url))("one payment's receipt, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, invoice, act } = world;

  const operator = (): Manager => ({ kind: "operator", tenantId: world.tenantId });
  const retry = (paymentId: string, actor = operator()) =>
    pushPayment.call(actor, { paymentId, anyway: false }, freshRequest(core));
  const settle = (paymentId: string, receiptNumber = "CHK-1", actor = operator()) =>
    settleReceiptByHand.call(actor, { paymentId, receiptNumber }, freshRequest(core));
  const audited = () => trailOf(core.store, world.tenantId, "pushPayment", "settleReceiptByHand");
  async function failed(amount = "400") {
    const id = await pay("one", amount);
    erp.control(REFUSED);
    await push();
    erp.control({ mode: "ok" });
    return id;
  }
  async function reversed(amount = "400") {
    const id = await pay("one", amount);
    await push();
    clock.advance(MINUTE);
    erp.reverseReceipt((await payment(id)).erp_receipt_id ?? "", "NSF");
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "reversed" });
    return id;
  }

  it("that failed is pushed again, alone, for another 24 hours [completions.12.retry-payment] [completions.12.manager]", async () => {
    const [id, other] = [await failed(), await failed("10")];
    clock.advance(48 * 60 * MINUTE);
    expect(await retry(id)).toEqual({ payment_id: id, erp_push_status: "pending", was: "failed" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "pending", erp_push_error: null });
    expect(await invoice("one")).toMatchObject({ erp_push_state: "failed" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_receipt_number: receiptNumberOf(id) });
    expect(await payment(other)).toMatchObject({ erp_push_status: "failed" });
    expect(await audited()).toMatchObject([
      {
        actor_kind: "operator",
        actor_id: null,
        operation: "pushPayment",
        object_type: "payment",
        object_id: id,
        request_id: "req_test",
        outcome: "succeeded",
      },
    ]);
  });

  it("that is posted is applied, one taken back there as well, with no second receipt [completions.12.retry-payment]", async () => {
    const refused = await pay("one", "400");
    erp.control({ mode: "refuse", refusal: "over_application", action: "applyReceipt" });
    await push();
    erp.control({ mode: "ok" });
    const takenBack = await pay("one", "100");
    await push();
    const { erp_receipt_id: receiptId } = await payment(takenBack);
    erp.unapplyReceipt(receiptId ?? "", erp.receipts.at(-1)?.applications[0]?.installmentId ?? "");
    clock.advance(MINUTE);
    await pull();
    for (const id of [refused, takenBack]) {
      expect(await retry(id)).toEqual({ payment_id: id, erp_push_status: "posted", was: "posted" });
      await expect(retry(id)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringMatching(/ is posted, and queued already to be applied\.$/),
      });
      await push();
      expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
    }
    expect(erp.receipts).toHaveLength(2);
  });

  it("that was reversed is followed by one of another number, once, wherever it is cut off [completions.12.retry-round]", async () => {
    const id = await reversed();
    await retry(id);
    expect(await payment(id)).toMatchObject({ erp_push_status: "pending", erp_receipt_id: null, receipt_round: 2 });
    await expect(retry(id)).rejects.toMatchObject({ code: "conflict" });
    // Cut off after its creation, with nothing known of it.
    erp.control({ mode: "drop", resource: "standardReceipts", when: "after-effect", after: 1 });
    await push();
    erp.control({ mode: "ok" });
    expect(await payment(id)).toMatchObject({ erp_push_status: "processing" });
    clock.advance(15 * MINUTE);
    await push();
    const second = receiptNumberOf(id, 2);
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_receipt_number: second });
    expect(erp.receipts.map(({ receiptNumber, state }) => [receiptNumber, state])).toEqual([
      [receiptNumberOf(id), "NSF"],
      [second, "Applied"],
    ]);
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_push_state: "applied" });
    erp.reverseReceipt((await payment(id)).erp_receipt_id ?? "", "REV");
    clock.advance(MINUTE);
    await pull();
    await retry(id);
    await push();
    expect(await payment(id)).toMatchObject({ erp_receipt_number: receiptNumberOf(id, 3) });
  });

  it("settled by hand counts as applied, and the balance holds it from the next sync on [completions.12.by-hand] [completions.12.manager]", async () => {
    const id = await failed();
    erp.enterReceipt({ invoice: "one", amount: "400", number: "CHK-1" });
    const settled = { payment_id: id, erp_push_status: "applied", erp_receipt_number: "CHK-1", in_the_erp: null };
    expect(await settle(id, "  CHK-1 ")).toEqual(settled);
    const now = clock.now().toISOString();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "applied",
      erp_push_error: null,
      erp_receipt_id: null,
      erp_receipt_number: "CHK-1",
      applied_at: now,
      reflected_at: null,
      settled_by_hand_at: now,
    });
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_push_state: "applied" });
    clock.advance(MINUTE);
    erp.forgetRequests();
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", amount_collected: "400" });
    expect((await payment(id)).reflected_at).not.toBeNull();
    clock.advance(60 * 24 * 60 * MINUTE);
    await pull();
    expect(await push()).toBe(0);
    expect(erp.requests.filter(({ path, method }) => path.includes("standardReceipts") && method === "POST")).toEqual(
      [],
    );
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_receipt_number: "CHK-1" });
    expect(await audited()).toMatchObject([
      { operation: "settleReceiptByHand", object_id: id, actor_kind: "operator" },
    ]);
  });

  it("settled by hand after a reversal, or while it was held, is not pushed; by mistake it is, with a number of its own [completions.12.by-hand] [completions.12.retry-payment] [completions.12.retry-round]", async () => {
    const mistaken = await reversed();
    await settle(mistaken);
    await act(setErp, { connectionId: world.connectionId, paymentPushMode: "held" });
    const held = await pay("two", "100");
    await settle(held, "CHK-2");
    expect((await invoice("two")).has_held_payment).toBe(false);
    expect(await push()).toBe(0);
    clock.advance(MINUTE);
    await pull();
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "1000" });
    await expect(retry(mistaken)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/ is applied: somebody settled it by hand with the ERP's receipt CHK-1\.$/),
    });
    const again = { paymentId: mistaken, anyway: false, settledByMistake: true };
    expect(await act(pushPayment, again)).toMatchObject({
      erp_push_status: "pending",
      was: "applied",
    });
    expect(await payment(mistaken)).toMatchObject({ settled_by_hand_at: null, erp_receipt_number: null });
    expect(await invoice("one")).toMatchObject({ collection_outstanding: "600", erp_push_state: "pending" });
    await push();
    expect(await payment(mistaken)).toMatchObject({
      erp_push_status: "applied",
      erp_receipt_number: receiptNumberOf(mistaken, 2),
    });
    expect(erp.receipts).toHaveLength(2);
  });

  it("is in the trail with what was done to it [completions.1.audit.labels]", async () => {
    const id = await failed();
    await retry(id);
    await settle(await failed("10"), "CHK-9");
    const { entries } = await act(readAuditTrail, {});
    const told = new Map(entries.map(({ operation, details, labels }) => [operation, { details, labels }]));
    expect(told.get("pushPayment")).toMatchObject({ details: [["receipt", "failed → pending"]] });
    expect(told.get("settleReceiptByHand")).toEqual({
      details: [["receipt", "failed → applied, CHK-9"]],
      labels: [
        {
          ...{ name: null, invoiceId: expect.any(String), receiptNumber: "CHK-9" },
          ...{ invoiceNumber: "one", customerName: "Globex", amount: "10.00", currency: "USD" },
        },
      ],
    });
  });

  it("releases one that is held [completions.12.retry-payment]", async () => {
    await act(setErp, { connectionId: world.connectionId, paymentPushMode: "held" });
    const [one, other] = [await pay("two", "100"), await pay("two", "50")];
    expect(await push()).toBe(0);
    await retry(one);
    expect(await push()).toBe(1);
    expect(await payment(one)).toMatchObject({ erp_push_status: "applied" });
    expect(await payment(other)).toMatchObject({ erp_push_status: "held" });
    expect((await invoice("two")).has_held_payment).toBe(true);
  });

  it("is refused with the state it is in [completions.12.retry-payment] [completions.12.by-hand]", async () => {
    const { tenantId, connectionId } = world;
    const applied = await pay("one", "100");
    await push();
    const pending = await pay("one", "100");
    await operate(core, tenantId, setErp, { connectionId, paymentPushMode: "held" });
    const held = await pay("one", "100");
    const conflict = (message: RegExp) => ({ code: "conflict", message: expect.stringMatching(message) });
    await expect(retry(applied)).rejects.toMatchObject(
      conflict(new RegExp(`${applied} is applied in the ERP: there is nothing to do\\.$`)),
    );
    await expect(settle(applied)).rejects.toMatchObject(conflict(/ is applied in the ERP: there is nothing to do\.$/));
    await expect(retry(pending)).rejects.toMatchObject(conflict(/ is queued already \(pending\)\.$/));
    await expect(settle(pending)).rejects.toMatchObject(conflict(/ is queued already \(pending\)\.$/));
    await settle(held);
    await expect(settle(held)).rejects.toMatchObject(conflict(/ is applied: somebody settled it by hand/));
    for (const act of [retry, settle]) {
      await expect(act(randomUUID())).rejects.toMatchObject({ code: "not_found" });
      await expect(act("no id")).rejects.toMatchObject({ details: [{ field: "paymentId" }] });
    }
    for (const number of ["", "  ", "x".repeat(31), "A\nB", "A\u202eB", "A\u0000"])
      await expect(settle(pending, number)).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ field: "receiptNumber" }],
      });
    await setRows(core.store, tenantId, "payments", { erp_push_status: null }, { payment_id: pending });
    await expect(retry(pending)).rejects.toMatchObject(conflict(/goes to no ERP/));
    await operate(core, tenantId, setErp, { connectionId, paymentPushMode: "automatic", applyMode: "automatch" });
    const posted = await pay("two", "100");
    await push();
    const matched = conflict(/ is posted: the ERP has it, and matches it to its invoice itself\.$/);
    await expect(retry(posted)).rejects.toMatchObject(matched);
    await expect(settle(posted)).rejects.toMatchObject(matched);
    expect((await payment(applied)).erp_push_status).toBe("applied");
  });

  it("is refused while it is being pushed, or its connection is switched off [completions.12.retry-payment]", async () => {
    const id = await pay("one", "100");
    erp.control({ mode: "503" });
    await push();
    erp.control({ mode: "ok" });
    clock.advance(15 * MINUTE);
    expect(await claimPush(core, 20_000)).toMatchObject({ payment_id: id });
    const busy = { code: "conflict", message: expect.stringContaining("is being pushed at this moment") };
    await expect(retry(id)).rejects.toMatchObject(busy);
    await expect(settle(id)).rejects.toMatchObject(busy);
    clock.advance(20_001);
    await act(disconnectErp, { connectionId: world.connectionId });
    await expect(retry(id)).rejects.toMatchObject({ code: "connection_disconnected" });
    expect(await settle(id)).toMatchObject({ erp_push_status: "applied" });
    expect(await payment(id)).toMatchObject({ push_retryable: false, next_attempt_at: null });
  });

  it("is seen to by admins, and by nobody else of the workspace or of another [completions.12.manager]", async () => {
    const { tenantId } = world;
    const id = await failed();
    const before = await payment(id);
    const { addPerson } = peopleOf(core);
    const { memberId: admin } = await addPerson(tenantId, { role: "admin" });
    const { memberId: member } = await addPerson(tenantId, { role: "member" });
    const person = (memberId: string): Manager => ({ kind: "person", tenantId, memberId });
    await expect(retry(id, person(member))).rejects.toMatchObject({ code: "permission_denied" });
    await expect(settle(id, "CHK-1", person(member))).rejects.toMatchObject({ code: "permission_denied" });
    await expect(retry(id, { kind: "operator", tenantId: randomUUID() })).rejects.toMatchObject({ code: "not_found" });
    expect(await payment(id)).toEqual(before);
    expect(await audited()).toEqual([]);
    await retry(id, person(admin));
    await push({}, quickConnect);
    expect(await audited()).toMatchObject([{ actor_kind: "person", actor_id: admin, operation: "pushPayment" }]);
  });
});
