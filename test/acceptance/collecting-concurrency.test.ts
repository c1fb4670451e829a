import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { pushHeldPayments } from "../../src/core/payments/operations/push-held-payments.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { callOnce } from "../support/collecting.ts";
import { usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";

const AT_ONCE = 20;

describe.each(A_STORE)("many who push the same held payments at once on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, erp, pull, pay, push, payments, act } = world;
  let actor: ApiKeyActor;
  let ids: string[];

  beforeEach(async () => {
    const { tenantId, connectionId } = world;
    await pull();
    await act(setErp, { connectionId, paymentPushMode: "held" });
    ids = [];
    for (let count = 0; count < AT_ONCE; count += 1) ids.push(await pay(count % 2 === 0 ? "one" : "two", "10"));
    const { id: keyId } = await act(createApiKey, { name: "admin", permission: "admin" });
    actor = { kind: "api_key", tenantId, keyId, permission: "admin" };
  });

  /** What each of the callers was answered: the payments it pushed, or why it pushed none. Workers are at it meanwhile. */
  async function pushAtOnce(inputOf: (index: number) => object, keyOf: (index: number) => string) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        try {
          const { data } = await callOnce(core, pushHeldPayments, actor, inputOf(index), keyOf(index));
          await push({ atOnce: 1 });
          return data.map((row) => row.payment_id);
        } catch (error) {
          if (error instanceof ServiceError) return error.code;
          throw error;
        }
      }),
    );
    await push();
    return {
      pushed: answers.filter((answer) => typeof answer !== "string"),
      refused: answers.filter((answer) => typeof answer === "string"),
    };
  }

  async function expectOneReceiptEach(): Promise<void> {
    expect((await payments()).map((row) => row.erp_push_status)).toEqual(ids.map(() => "applied"));
    expect(erp.receipts.map((receipt) => receipt.receiptNumber).sort()).toEqual(ids.map(receiptNumberOf).sort());
    const posts = erp.requests.filter(({ method, path }) => method === "POST" && path.endsWith("standardReceipts"));
    expect(posts).toHaveLength(ids.length);
  }

  it("of a connection, with keys of their own: each payment is one caller's [completions.5.parallel-pushes]", async () => {
    const { connectionId } = world;
    const all = () => ({ connection_id: connectionId });
    const { pushed, refused } = await pushAtOnce(all, (index) => `key-${index}`);
    expect(refused).toEqual([]);
    expect(pushed.flat().sort()).toEqual([...ids].sort());
    await expectOneReceiptEach();
  });

  it("with one key: one answer, or conflict [completions.5.parallel-pushes]", async () => {
    const { connectionId } = world;
    const { pushed, refused } = await pushAtOnce(
      () => ({ connection_id: connectionId }),
      () => "the same",
    );
    expect(pushed.length).toBeGreaterThan(0);
    for (const answer of pushed) expect([...answer].sort()).toEqual([...ids].sort());
    expect(refused.every((code) => code === "conflict")).toBe(true);
    await expectOneReceiptEach();
  });

  it("by their ids, in any order: one caller gets them all, nobody a part [completions.5.parallel-pushes]", async () => {
    const rotated = (index: number) => ({ payment_ids: [...ids.slice(index), ...ids.slice(0, index)] });
    const { pushed, refused } = await pushAtOnce(rotated, (index) => `key-${index}`);
    expect(pushed).toHaveLength(1);
    expect(pushed.flat().sort()).toEqual([...ids].sort());
    expect(refused).toEqual(Array.from({ length: AT_ONCE - 1 }, () => "conflict"));
    await expectOneReceiptEach();
  });
});
