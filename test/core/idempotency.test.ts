import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { ROUTE_CALLERS } from "../../src/core/gate/actor.ts";
import { type Actor, type ApiKeyActor, nowOf, operation } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { housekeep } from "../../src/jobs/housekeeping.ts";
import { type Book, customerRow, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { connectAssistant } from "../support/rows.ts";
import { setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const HOUR = 3_600_000;

/** Stands for whatever may be done once only: makes a customer, and waits or fails where told. */
function makeCustomer(waitFor: () => Promise<void>, id = "makeCustomer") {
  return operation({
    id,
    summary: "A test",
    callers: ROUTE_CALLERS,
    permission: "admin",
    scope: "payment_links:write",
    sideEffects: "Makes a customer.",
    idempotency: true,
    input: z.strictObject({
      name: z.string().min(1),
      note: z.string().optional(),
      wait: z.boolean().default(false),
      fail: z.boolean().default(false),
    }),
    output: z.strictObject({ customer_id: z.string(), name: z.string(), at: z.string() }),
    async run({ tx, actor, core, audit, now }, { name, wait, fail }) {
      const { connection_id } = await tx
        .selectFrom("erp_connections")
        .select("connection_id")
        .where("tenant_id", "=", actor.tenantId)
        .executeTakeFirstOrThrow();
      const row = customerRow(actor.tenantId, connection_id, { customer_id: core.newId(), name });
      await tx.insertInto("customers").values(row).execute();
      if (wait) await waitFor();
      if (fail) throw new ServiceError("conflict", "Failed on purpose.");
      audit({ type: "customer", id: row.customer_id });
      return { customer_id: row.customer_id, name, at: now };
    },
  });
}

describe.each(STORES)("idempotency on $name", ({ open }) => {
  const clock = new TestClock();
  const { store } = useStore(open);
  const core = testCore(store, clock);
  let app: RestApp;
  let book: Book;
  let actor: ApiKeyActor;
  let key: string;
  let keyId: string;
  let reached = Promise.withResolvers<void>();
  let release = Promise.withResolvers<void>();
  const make = makeCustomer(() => {
    reached.resolve();
    return release.promise;
  });

  const makeElsewhere = makeCustomer(async () => undefined, "makeElsewhere");

  beforeAll(async () => {
    app = await openRestApp(core, {
      limited: false,
      routes: [
        { method: "POST", path: "/v1/customers", operation: make, status: 201 },
        { method: "POST", path: "/v1/others", operation: makeElsewhere, status: 201 },
      ],
    });
  });
  afterAll(async () => {
    await app.close();
  });
  beforeEach(async () => {
    [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    book = await openBook(store);
    ({ id: keyId, key } = await operate(core, book.tenantId, createApiKey, { name: "admin", permission: "admin" }));
    const { id } = await operate(core, book.tenantId, createApiKey, { name: "direct", permission: "admin" });
    actor = { kind: "api_key", tenantId: book.tenantId, keyId: id, permission: "admin" };
  });

  const post = (json: unknown, idempotencyKey?: string, as = key) =>
    send(`${app.url}/v1/customers`, {
      method: "POST",
      key: as,
      json,
      headers: idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey },
    });
  const direct = (input: unknown, idempotencyKey?: string, who: Actor = actor, what = make) =>
    what
      .call(who, input, { core, requestId: "request-1", idempotencyKey })
      .catch((error: unknown) => (error instanceof ServiceError ? error.code : String(error)));
  const count = (table: "customers" | "idempotency_records" | "audit_entries", tenantId = book.tenantId) =>
    store.read(tenantId, async (tx) => {
      const rows = await tx.selectFrom(table).select("tenant_id").where("tenant_id", "=", tenantId).execute();
      return rows.length;
    });

  it("replays status and body of the same request, and does nothing again [service.8.idempotency-replay]", async () => {
    const first = await post({ name: "Globex", note: "n" }, "key-1");
    expect(first.status).toBe(201);
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    const entries = await count("audit_entries");
    clock.advance(HOUR);
    const again = await send(`${app.url}/v1/customers`, {
      method: "POST",
      key,
      body: ' {"note":"n","fail":false,\n"name":"Globex"}',
      headers: { "Content-Type": "application/json", "Idempotency-Key": "key-1" },
    });
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await count("customers")).toBe(1);
    expect(await count("audit_entries")).toBe(entries);
  });

  it("refuses the same key with another body [service.8.idempotency-conflict]", async () => {
    await post({ name: "Globex" }, "key-1");
    const other = await post({ name: "Initech" }, "key-1");
    expect(other).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
    expect(await count("customers")).toBe(1);
  });

  it("asks for the key, 1 to 255 printable ASCII characters, before anything else [service.8.idempotency-key]", async () => {
    for (const bad of [undefined, "", "x".repeat(256), "tab\there", "ä"]) {
      const refused = await post({}, bad);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "idempotency_key_required" } } });
      expect(await direct({}, bad)).toBe("idempotency_key_required");
    }
    expect((await post({ name: "Globex" }, "~ !".repeat(85))).status).toBe(201);
  });

  it("stores nothing of a request that failed [service.8.idempotency-failure]", async () => {
    expect((await post({ name: "" }, "key-1")).status).toBe(400);
    expect((await post({ name: "Globex", fail: true }, "key-1")).status).toBe(409);
    expect(await count("idempotency_records")).toBe(0);
    const mended = await post({ name: "Globex" }, "key-1");
    expect(mended.status).toBe(201);
    expect(mended.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await count("customers")).toBe(1);
  });

  it("takes every admin key of the workspace for the same caller [completions.10.idempotency-workspace]", async () => {
    const rotated = await newKey(core, book.tenantId);
    const first = await post({ name: "Globex" }, "key-1");
    await operate(core, book.tenantId, revokeApiKey, { id: keyId });
    const again = await post({ name: "Globex" }, "key-1", rotated);
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await direct({ name: "Globex" }, "key-1")).toEqual(first.body);
    const other = await post({ name: "Initech" }, "key-1", rotated);
    expect(other).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
    const mayOnlyRead = await newKey(core, book.tenantId, "readonly");
    const refused = await post({ name: "Globex" }, "key-1", mayOnlyRead);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "permission_denied" } } });
    expect(await count("customers")).toBe(1);
  });

  it("refuses the same key on another operation, and after a day no more [completions.10.idempotency-operation]", async () => {
    const elsewhere = (as = key) =>
      send(`${app.url}/v1/others`, {
        method: "POST",
        key: as,
        json: { name: "Globex" },
        headers: { "Idempotency-Key": "key-1" },
      });
    await post({ name: "Globex" }, "key-1");
    for (const as of [key, await newKey(core, book.tenantId)])
      expect(await elsewhere(as)).toMatchObject({ status: 409, body: { error: { code: "idempotency_conflict" } } });
    expect(await direct({ name: "Globex" }, "key-1", actor, makeElsewhere)).toBe("idempotency_conflict");
    expect(await count("customers")).toBe(1);
    clock.advance(24 * HOUR);
    expect((await elsewhere()).status).toBe(201);
    expect((await elsewhere()).headers.get("Idempotency-Replayed")).toBe("true");
    expect(await post({ name: "Globex" }, "key-1")).toMatchObject({
      status: 409,
      body: { error: { code: "idempotency_conflict" } },
    });
  });

  it("keeps assistants' connections apart, from each other and from keys [completions.10.idempotency-connection]", async () => {
    const rights = { role: "admin", scopes: ["receivables:read", "payment_links:write"] } as const;
    const one = await connectAssistant(store, book.tenantId, rights);
    const other = await connectAssistant(store, book.tenantId, rights);
    const { actor: again } = await connectAssistant(store, book.tenantId, { ...rights, of: one });
    await post({ name: "Globex" }, "key-1");
    const first = await direct({ name: "Globex" }, "key-1", one.actor);
    for (const actor of [other.actor, again])
      expect(await direct({ name: "Initech" }, "key-1", actor)).toMatchObject({ name: "Initech" });
    expect(await direct({ name: "Globex" }, "key-1", one.actor)).toEqual(first);
    expect(await direct({ name: "Initech" }, "key-1", one.actor)).toBe("idempotency_conflict");
    expect(await direct({ name: "Globex" }, "key-1", one.actor, makeElsewhere)).toBe("idempotency_conflict");
    expect(await count("customers")).toBe(4);
  });

  it("keeps workspaces apart [completions.10.idempotency-workspace]", async () => {
    const neighbour = await openBook(store);
    await post({ name: "Globex" }, "key-1");
    const theirs = await post({ name: "Initech" }, "key-1", await newKey(core, neighbour.tenantId));
    expect(theirs.status).toBe(201);
    expect(await count("customers", neighbour.tenantId)).toBe(1);
  });

  it("forgets a key after 24 hours [service.8.idempotency-lifetime]", async () => {
    await post({ name: "Globex" }, "key-1");
    clock.advance(24 * HOUR - 1);
    expect((await post({ name: "Globex" }, "key-1")).headers.get("Idempotency-Replayed")).toBe("true");
    await housekeep(core);
    expect(await count("idempotency_records")).toBe(1);
    clock.advance(1);
    const fresh = await post({ name: "Initech" }, "key-1");
    expect(fresh.status).toBe(201);
    expect(await count("customers")).toBe(2);
    expect((await post({ name: "Initech" }, "key-1")).headers.get("Idempotency-Replayed")).toBe("true");
    clock.advance(24 * HOUR);
    await housekeep(core);
    expect(await count("idempotency_records")).toBe(0);
  });

  it("answers one of several at once, the others with conflict or its answer, whichever key they come with [service.8.idempotency-concurrent] [completions.10.idempotency-workspace]", async () => {
    const keys = [key, await newKey(core, book.tenantId)];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => post({ name: "Globex" }, "key-1", keys[n % keys.length])),
    );
    const made = answers.filter((answer) => answer.status === 201);
    expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
    expect(made.filter((answer) => answer.headers.get("Idempotency-Replayed") === null)).toHaveLength(1);
    for (const refused of answers.filter((answer) => answer.status !== 201))
      expect(refused).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    expect(await count("customers")).toBe(1);
  });

  // The embedded store runs one transaction at a time: there nothing is ever seen in flight.
  it("refuses a request while its twin is in flight [service.8.idempotency-concurrent]", async ({ skip }) => {
    if (store.kind === "embedded") return skip("one connection: a twin waits for its turn, and is replayed");
    const first = post({ name: "Globex", wait: true }, "key-1");
    await reached.promise;
    const twin = await post({ name: "Globex", wait: true }, "key-1");
    expect(twin).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    release.resolve();
    expect((await first).status).toBe(201);
    expect((await post({ name: "Globex", wait: true }, "key-1")).headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("asks for authority on a replay too", async () => {
    await post({ name: "Globex" }, "key-1");
    await setRows(store, null, "api_keys", { revoked_at: nowOf(core) }, { tenant_id: book.tenantId });
    expect((await post({ name: "Globex" }, "key-1")).status).toBe(401);
    expect(await direct({ name: "Globex" }, randomUUID())).toBe("revoked_credentials");
  });
});
