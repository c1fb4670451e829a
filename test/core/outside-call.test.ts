import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { type ApiKeyActor, ROUTE_CALLERS } from "../../src/core/gate/actor.ts";
import { OUTSIDE_HOLD_MS } from "../../src/core/gate/idempotency.ts";
import { operation } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import type { Transaction } from "../../src/store/store.ts";
import { type Book, customerRow, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { rowOf, rowsOf, setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** A system outside the store: records its requests, and answers as told. */
class Outside {
  asked: string[] = [];
  next: () => Promise<"done" | "refused"> = async () => "done";

  async ask(id: string): Promise<"done" | "refused"> {
    this.asked.push(id);
    return this.next();
  }
}

async function setNumber(tx: Transaction, tenantId: string, id: string, number: string): Promise<void> {
  const customers = tx.updateTable("customers").set({ numbers: number });
  await customers.where("tenant_id", "=", tenantId).where("customer_id", "=", id).execute();
}

/** A sample operation: reserves a customer without a number, asks the outside system, and sets the number. */
function makeOperation(outside: Outside, hooks: { confirming: () => void }) {
  return operation({
    id: "makeOutside",
    summary: "A test",
    errors: ["conflict", "integration_unavailable"],
    callers: ROUTE_CALLERS,
    permission: "admin",
    scope: "payment_links:write",
    sideEffects: "Makes a customer beyond the store.",
    input: z.strictObject({ name: z.string() }),
    output: z.strictObject({ customer_id: z.string(), number: z.string() }),
    idempotency: true,
    outside: {
      reservation: z.strictObject({ customer_id: z.string() }),
      async reserve({ tx, actor, core }, { name }) {
        if (name === "refuse") throw new ServiceError("conflict", "Refused before anything was reserved.");
        const { connection_id } = await tx
          .selectFrom("erp_connections")
          .select("connection_id")
          .where("tenant_id", "=", actor.tenantId)
          .executeTakeFirstOrThrow();
        const row = customerRow(actor.tenantId, connection_id, { customer_id: core.newId(), name, number: "reserved" });
        await tx.insertInto("customers").values(row).execute();
        return { customer_id: row.customer_id };
      },
      async resume({ tx, actor: { tenantId: tenant_id } }, { customer_id }) {
        const mine = tx.selectFrom("customers").select("numbers");
        const row = await mine.where((column) => column.and({ tenant_id, customer_id })).executeTakeFirst();
        return row === undefined || row.numbers === "withdrawn" ? null : { customer_id };
      },
      act: (_core, { customer_id }) => outside.ask(customer_id),
      async confirm({ tx, actor }, { customer_id }, outcome) {
        if (outcome === "refused") throw new ServiceError("integration_unavailable", "Refused beyond the store.");
        hooks.confirming();
        await setNumber(tx, actor.tenantId, customer_id, "made");
        return { customer_id, number: "made" };
      },
      async release({ tx, actor }, { customer_id }) {
        await setNumber(tx, actor.tenantId, customer_id, "withdrawn");
      },
    },
  });
}

describe.each(STORES)("an operation with a step outside on $name", ({ open }) => {
  const clock = new TestClock();
  const hooks = { confirming: (): void => undefined };
  let outside: Outside;
  let make: ReturnType<typeof makeOperation>;
  const { store } = useStore(open);
  const core = testCore(store, clock);
  let book: Book;
  let actor: ApiKeyActor;

  beforeEach(async () => {
    outside = new Outside();
    hooks.confirming = () => undefined;
    make = makeOperation(outside, hooks);
    book = await openBook(store);
    const { id: keyId } = await operate(core, book.tenantId, createApiKey, { name: "direct", permission: "admin" });
    actor = { kind: "api_key", tenantId: book.tenantId, keyId, permission: "admin" };
  });

  let replayed = 0;
  const call = (idempotencyKey?: string, name = "Globex", signal?: AbortSignal, who = actor): Promise<unknown> =>
    make
      .call(
        who,
        { name },
        {
          core,
          requestId: randomUUID(),
          idempotencyKey,
          onReplay: () => {
            replayed += 1;
          },
          ...(signal === undefined ? {} : { signal }),
        },
      )
      .catch((error: unknown) => (error instanceof ServiceError ? error.code : String(error)));
  const numbers = async () => {
    const rows = await rowsOf(store, book.tenantId, "customers", {}, "numbers");
    return rows.map((row) => row.numbers);
  };
  const made = { customer_id: expect.any(String), number: "made" };
  const crash = async () => {
    throw new Error("cut off");
  };

  it("reserves, acts with no transaction open, and confirms; again it answers the same [service.8.outside-replay]", async () => {
    outside.next = async () => {
      // On the embedded store this would wait forever for a transaction that is open.
      expect(await numbers()).toEqual(["reserved"]);
      return "done";
    };
    const first = await call("key-1");
    expect(first).toEqual(made);
    replayed = 0;
    expect(await call("key-1")).toEqual(first);
    expect(replayed).toBe(1);
    expect(outside.asked).toHaveLength(1);
    expect(await numbers()).toEqual(["made"]);
    expect(await call("key-1", "Initech")).toBe("idempotency_conflict");
    expect(await call()).toBe("idempotency_key_required");
  });

  it("is a conflict while the first is at work, whichever body it has not [service.8.outside-concurrent]", async () => {
    const { promise, resolve } = Promise.withResolvers<"done">();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    outside.next = () => {
      reach();
      return promise;
    };
    const first = call("key-1");
    await reached;
    expect(await call("key-1")).toBe("conflict");
    expect(await call("key-1", "Initech")).toBe("idempotency_conflict");
    resolve("done");
    expect(await first).toEqual(made);
    expect(outside.asked).toHaveLength(1);
  });

  it("answers one of many at once, the others with conflict or its answer [service.8.outside-concurrent]", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => call("key-1")));
    const good = answers.filter((answer) => answer !== "conflict");
    expect(new Set(good.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await numbers()).toEqual(["made"]);
  });

  it("goes on with the same reservation when nobody knows what became of the act [service.8.outside-resume]", async () => {
    outside.next = crash;
    expect(await call("key-1")).toBe("Error: cut off");
    expect(await numbers()).toEqual(["reserved"]);
    expect(await call("key-1", "Initech")).toBe("idempotency_conflict");
    outside.next = async () => "done";
    expect(await call("key-1")).toEqual(made);
    expect(new Set(outside.asked).size).toBe(1);
    expect(outside.asked).toHaveLength(2);
    expect(await numbers()).toEqual(["made"]);
  });

  it("goes on with it when the confirmation was cut off [service.8.outside-resume]", async () => {
    hooks.confirming = () => {
      throw new Error("cut off");
    };
    expect(await call("key-1")).toBe("Error: cut off");
    expect(await numbers()).toEqual(["reserved"]);
    hooks.confirming = () => undefined;
    expect(await call("key-1")).toEqual(made);
    expect(new Set(outside.asked).size).toBe(1);
  });

  it("waits for whoever was killed at work, and then goes on with it [service.8.outside-resume]", async () => {
    // Killed: the request neither ends nor says so.
    outside.next = () => new Promise(() => undefined);
    void call("key-1");
    while (outside.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    outside.next = async () => "done";
    expect(await call("key-1")).toBe("conflict");
    clock.advance(OUTSIDE_HOLD_MS - 1);
    expect(await call("key-1")).toBe("conflict");
    clock.advance(1);
    expect(await call("key-1")).toEqual(made);
    expect(new Set(outside.asked).size).toBe(1);
    expect(await numbers()).toEqual(["made"]);
  });

  it("keeps its key while it is at work, however long, and for seconds once its caller has gone [facts.scale.held]", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const heldUntil = () => rowOf(store, book.tenantId, "idempotency_records");
    const { promise, resolve } = Promise.withResolvers<"done">();
    outside.next = () => promise;
    const gone = new AbortController();
    const first = call("key-1", "Globex", gone.signal);
    await expect.poll(() => outside.asked.length).toBe(1);
    for (let beat = 1; beat <= 8; beat += 1) {
      clock.advance(OUTSIDE_HOLD_MS / 4);
      const until = new Date(clock.now().getTime() + OUTSIDE_HOLD_MS).toISOString();
      vi.advanceTimersByTime(OUTSIDE_HOLD_MS / 4);
      await expect.poll(heldUntil).toMatchObject({ held_until: until });
      expect(await call("key-1")).toBe("conflict");
    }
    gone.abort(new Error("gone"));
    clock.advance(OUTSIDE_HOLD_MS);
    vi.advanceTimersByTime(OUTSIDE_HOLD_MS);
    outside.next = async () => "done";
    expect(await call("key-1")).toEqual(made);
    resolve("done");
    expect(await first).toBe("Error: gone");
    expect(new Set(outside.asked).size).toBe(1);
    expect(await numbers()).toEqual(["made"]);
  });

  it("says in how many seconds to come back, never more than ten, whatever an earlier version or a wrong clock held [facts.scale.cut-off]", async () => {
    outside.next = () => new Promise(() => undefined);
    void call("key-1");
    await expect.poll(() => outside.asked.length).toBe(1);
    const refusal = () => make.call(actor, { name: "Globex" }, { core, requestId: "r", idempotencyKey: "key-1" });
    await expect(refusal()).rejects.toMatchObject({ code: "conflict", retryAfterSeconds: 10 });
    clock.advance(OUTSIDE_HOLD_MS - 1_500);
    await expect(refusal()).rejects.toMatchObject({ code: "conflict", retryAfterSeconds: 2 });
    const hold = (milliseconds: number) =>
      setRows(store, book.tenantId, "idempotency_records", {
        held_until: new Date(clock.now().getTime() + milliseconds).toISOString(),
      });
    await hold(60_000);
    await expect(refusal()).rejects.toMatchObject({ code: "conflict", retryAfterSeconds: 10 });
    await hold(60_001);
    outside.next = async () => "done";
    expect(await call("key-1")).toEqual(made);
  });

  const rotated = async (): Promise<ApiKeyActor> => {
    const { id: keyId } = await operate(core, book.tenantId, createApiKey, { name: "rotated", permission: "admin" });
    return { ...actor, keyId };
  };

  it("goes on with it for the key that took the place of the first [completions.10.idempotency-workspace]", async () => {
    const next = await rotated();
    outside.next = crash;
    expect(await call("key-1")).toBe("Error: cut off");
    await operate(core, book.tenantId, revokeApiKey, { id: actor.keyId });
    outside.next = async () => "done";
    expect(await call("key-1", "Initech", undefined, next)).toBe("idempotency_conflict");
    expect(await call("key-1", "Globex", undefined, next)).toEqual(made);
    expect(new Set(outside.asked).size).toBe(1);
    expect(await numbers()).toEqual(["made"]);
  });

  it("leaves it to the other key that has gone on with it, when the first is late and revoked [completions.10.idempotency-workspace]", async () => {
    const next = await rotated();
    const [first, second] = [Promise.withResolvers<"done">(), Promise.withResolvers<"done">()];
    outside.next = () => first.promise;
    const late = call("key-1");
    await expect.poll(() => outside.asked.length).toBe(1);
    clock.advance(OUTSIDE_HOLD_MS);
    outside.next = () => second.promise;
    const retried = call("key-1", "Globex", undefined, next);
    await expect.poll(() => outside.asked.length).toBe(2);
    await operate(core, book.tenantId, revokeApiKey, { id: actor.keyId });
    first.resolve("done");
    expect(await late).toBe("revoked_credentials");
    expect(await numbers()).toEqual(["reserved"]);
    second.resolve("done");
    expect(await retried).toEqual(made);
    expect(new Set(outside.asked).size).toBe(1);
    expect(await numbers()).toEqual(["made"]);
  });

  it("gives whoever comes back late the answer there is by then [service.8.outside-resume]", async () => {
    const { promise, resolve } = Promise.withResolvers<"done">();
    outside.next = () => promise;
    const late = call("key-1");
    while (outside.asked.length === 0) await new Promise((next) => setTimeout(next, 5));
    clock.advance(OUTSIDE_HOLD_MS);
    outside.next = async () => "done";
    const answer = await call("key-1");
    resolve("done");
    expect(await late).toEqual(answer);
  });

  it("withdraws and forgets what was refused: the same key may be used again [service.8.outside-failure]", async () => {
    outside.next = async () => "refused";
    expect(await call("key-1")).toBe("integration_unavailable");
    expect(await numbers()).toEqual(["withdrawn"]);
    outside.next = async () => "done";
    expect(await call("key-1", "Initech")).toEqual(made);
    expect(new Set(outside.asked).size).toBe(2);
    expect(await numbers()).toEqual(["made", "withdrawn"]);
  });

  it("leaves nothing of what is refused before the act [service.8.outside-failure]", async () => {
    expect(await call("key-1", "refuse")).toBe("conflict");
    expect(outside.asked).toEqual([]);
    expect(await numbers()).toEqual([]);
    expect(await call("key-1")).toEqual(made);
  });

  it("begins anew where the reservation was withdrawn meanwhile [service.8.outside-resume]", async () => {
    outside.next = crash;
    await call("key-1");
    await setRows(store, book.tenantId, "customers", { numbers: "withdrawn" });
    outside.next = async () => "done";
    expect(await call("key-1")).toEqual(made);
    expect(new Set(outside.asked).size).toBe(2);
  });

  it("withdraws for whoever lost access while it acted, or gave up [completions.1.outside-actor]", async () => {
    outside.next = async () => {
      await operate(core, book.tenantId, revokeApiKey, { id: actor.keyId });
      return "done";
    };
    expect(await call("key-1")).toBe("revoked_credentials");
    expect(await numbers()).toEqual(["withdrawn"]);

    const { id: keyId } = await operate(core, book.tenantId, createApiKey, { name: "second", permission: "admin" });
    actor = { ...actor, keyId };
    const gone = new AbortController();
    outside.next = async () => {
      gone.abort(new Error("gone"));
      return "done";
    };
    expect(await call("key-2", "Globex", gone.signal)).toBe("Error: gone");
    expect(await numbers()).toEqual(["withdrawn", "withdrawn"]);
  });
});
