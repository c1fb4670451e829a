import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import type { Store } from "../../src/store/store.ts";
import { quickConnect } from "../support/pulls.ts";
import { usePushWorld } from "../support/pushes.ts";
import { replacing } from "../support/reads.ts";
import { A_STORE } from "../support/thorough.ts";

/** A second or two, and what a busy machine needs. */
const SOON_MS = 4_000;

/** A claim, or a release, is what is written after a look at all workspaces. */
type Transaction = "write" | "claim";

/** The n-th transaction of a kind fails as `how` says; all others go well. */
interface Fault {
  kind: Transaction;
  at: readonly number[];
  how: "before" | "after-commit" | "deadlock";
}

/** A store that fails on purpose. */
function failing(store: Store, faults: readonly Fault[]): Store {
  const seen = { write: 0, claim: 0 };
  let hasLooked = false;
  async function struck<T>(kind: Transaction, work: () => Promise<T>): Promise<T> {
    seen[kind] += 1;
    const count = seen[kind];
    const fault = faults.find((one) => one.kind === kind && one.at.includes(count));
    if (fault?.how === "deadlock") throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    if (fault?.how === "before") throw new Error("the connection to the store was lost");
    const result = await work();
    if (fault?.how === "after-commit") throw new Error("the connection to the store was lost");
    return result;
  }
  const write: Store["write"] = (tenantId, work) => {
    const kind = hasLooked ? "claim" : "write";
    hasLooked = false;
    return struck(kind, () => store.write(tenantId, work));
  };
  const everyShard: Store["everyShard"] = (work, whole) => {
    hasLooked = true;
    return store.everyShard(work, whole);
  };
  return replacing(store, { write, everyShard });
}

describe.each(A_STORE)("a push whose own work fails, on $name", ({ open }) => {
  const { core, clock, erp, pay, payment } = usePushWorld(open);

  const real = (faults: readonly Fault[], log?: Partial<Core["log"]>): Core => {
    return {
      ...core,
      clock: { now: () => new Date() },
      store: failing(core.store, faults),
      log: { ...core.log, ...log },
    };
  };

  it.each<[string, Fault]>([
    ["at its beginning", { kind: "write", at: [1], how: "before" }],
    ["at its beginning, as far as it knows", { kind: "write", at: [1], how: "after-commit" }],
    ["at its beginning, by deadlocks", { kind: "write", at: [1, 2, 3], how: "deadlock" }],
    ["at its end, with the receipt in the ERP", { kind: "write", at: [2], how: "before" }],
    ["at its end, by deadlocks", { kind: "write", at: [2, 3, 4], how: "deadlock" }],
    ["at its end, as far as it knows", { kind: "write", at: [2], how: "after-commit" }],
    ["at its claim, by deadlocks", { kind: "claim", at: [1], how: "deadlock" }],
    ["at its claim, as far as it knows", { kind: "claim", at: [1], how: "after-commit" }],
  ])(
    "%s is tried again within a second or two, and holds nobody up [completions.7.push-released]",
    async (_name, fault) => {
      const first = await pay("one", "10");
      clock.advance(1);
      const second = await pay("two", "20");
      const began = Date.now();
      const pushing = pushReceipts(real([fault]), quickConnect, { atOnce: 1 });
      const states = () => Promise.all([first, second].map(async (id) => (await payment(id)).erp_push_status));
      await expect.poll(states, { interval: 50, timeout: 30_000 }).toEqual(["applied", "applied"]);
      expect(Date.now() - began).toBeLessThan(SOON_MS);
      await pushing;
      expect(erp.receipts).toHaveLength(2);
      expect(await payment(first)).toMatchObject({ claim_id: null, lease_expires_at: null });
    },
  );

  it("is not in the way of the others of its ERP meanwhile [completions.7.push-released]", async () => {
    const first = await pay("one", "10");
    clock.advance(1);
    const second = await pay("two", "20");
    const pushing = pushReceipts(real([{ kind: "write", at: [1], how: "before" }]), quickConnect, { atOnce: 1 });
    await expect.poll(async () => (await payment(first)).next_attempt_at).not.toBeNull();
    expect(await pushReceipts(real([]), quickConnect, { atOnce: 1 })).toBe(1);
    expect((await payment(second)).erp_push_status).toBe("applied");
    await pushing;
    expect((await payment(first)).erp_push_status).toBe("applied");
  });

  it("when it is given up is released all the same [completions.7.push-released]", async () => {
    const id = await pay("one", "10");
    erp.control({ mode: "hang", resource: "standardReceipts" });
    const giveUp = new AbortController();
    const core = real([{ kind: "write", at: [2], how: "before" }]);
    const pushing = pushReceipts(core, quickConnect, { atOnce: 1, giveUp: giveUp.signal });
    await expect.poll(async () => (await payment(id)).erp_push_status).toBe("processing");
    giveUp.abort();
    await pushing;
    expect(await payment(id)).toMatchObject({ claim_id: null, lease_expires_at: null });
  });

  it("whenever it is tried is left to the next poll after three times [completions.7.push-released]", async () => {
    const id = await pay("one", "10");
    const errors: (string | undefined)[] = [];
    const every = { kind: "write", at: Array.from({ length: 50 }, (_, index) => index + 1), how: "before" } as const;
    const core = real([every], { error: (_fields: object, message?: string) => void errors.push(message) });
    expect(await pushReceipts(core, quickConnect, { atOnce: 1 })).toBe(3);
    expect(errors).toEqual(Array(3).fill("receipt.push.interrupted"));
    expect(await payment(id)).toMatchObject({ erp_push_status: "pending", lease_expires_at: null });
  });
});
