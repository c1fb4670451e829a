import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { ADMINS_READ, COLLECTORS, RECEIVABLES_READ, ROUTE_CALLERS } from "../../src/core/gate/actor.ts";
import { type Actor, type AssistantActor, type Collector, operation } from "../../src/core/gate/operation.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import { connectAssistant } from "../support/rows.ts";
import { trailOf } from "../support/stored.ts";
import { everyRow, storesOf } from "../support/stores.ts";
import { useBook } from "../support/use-store.ts";

const NOW = "2026-03-10T15:00:00.000Z";

const rename = operation({
  id: "renameWorkspace",
  summary: "A test",
  errors: ["conflict"],
  callers: COLLECTORS,
  permission: "admin",
  scope: "tasks:write",
  sideEffects: "Renames the workspace.",
  input: z.strictObject({ name: z.string().min(1), fail: z.boolean().default(false) }),
  output: z.strictObject({ name: z.string() }),
  async run({ tx, actor, audit }, { name, fail }) {
    await tx.updateTable("tenants").set({ name }).where("tenant_id", "=", actor.tenantId).execute();
    audit({ type: "workspace", id: actor.tenantId });
    if (fail) throw new ServiceError("conflict", "Failed on purpose.");
    return { name };
  },
});

const readName = operation({
  id: "readName",
  summary: "A test",
  ...RECEIVABLES_READ,
  input: z.strictObject({}),
  output: z.strictObject({ name: z.string() }),
  run: ({ tx, actor }) =>
    tx.selectFrom("tenants").select("name").where("tenant_id", "=", actor.tenantId).executeTakeFirstOrThrow(),
});

const readSettings = operation({
  ...{ id: "readSettings", summary: "A test", ...ADMINS_READ, input: z.strictObject({}), output: z.null() },
  run: async () => null,
});

const talkative = operation({
  id: "readTooMuch",
  summary: "A test",
  callers: ROUTE_CALLERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject({}),
  output: z.strictObject({ name: z.string() }),
  run: ({ tx, actor }) =>
    tx.selectFrom("tenants").selectAll().where("tenant_id", "=", actor.tenantId).executeTakeFirstOrThrow(),
});

describe.each(storesOf(import.meta.url))("the door into the core on $name", ({ open }) => {
  const { store, core, book } = useBook(open);
  let tenantId: string;
  let member: AssistantActor;
  let key: Actor;

  beforeAll(async () => {
    ({ tenantId } = book);
    const rights = { role: "admin", scopes: ["receivables:read", "tasks:write"] } as const;
    ({ actor: member } = await connectAssistant(store, tenantId, rights));
    const { id: keyId } = await operate(core, tenantId, createApiKey, { name: "k", permission: "admin" });
    key = { kind: "api_key", tenantId, keyId, permission: "admin" };
  });

  const call = (actor: Collector, input: unknown, signal?: AbortSignal) =>
    rename.call(actor, input, { core, requestId: "req-1", ...(signal === undefined ? {} : { signal }) });
  const codeOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "ok",
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );
  const name = async (actor: Collector = member) => (await readName.call(actor, {}, { core, requestId: "req-2" })).name;
  const entries = () => trailOf(store, tenantId, "renameWorkspace");
  const update = async (table: "members" | "assistant_connections" | "tenants" | "api_keys", set: object) =>
    everyRow(store, (tx) => tx.updateTable(table).set(set).where("tenant_id", "=", tenantId).execute());

  it("refuses whoever lacks the permission, the role or the scope [completions.1.actor] [service.5.2.readonly-key]", async () => {
    const readonlyKey: Actor = { kind: "api_key", tenantId, keyId: randomUUID(), permission: "readonly" };
    expect(await codeOf(call(readonlyKey, { name: "x" }))).toBe("permission_denied");
    expect(await codeOf(call({ ...member, role: "member" }, { name: "x" }))).toBe("permission_denied");
    expect(await codeOf(call({ ...member, scopes: ["receivables:read"] }, { name: "x" }))).toBe("permission_denied");
    expect(await name()).toBe("Acme Ltd");
  });

  it("says which scope was missing, and that only then", async () => {
    const refused = await call({ ...member, scopes: [] }, { name: "x" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ missingScope: "tasks:write" });
    const demoted = await call({ ...member, role: "member", scopes: [] }, { name: "x" }).catch(
      (error: unknown) => error,
    );
    expect(demoted).toMatchObject({ missingScope: undefined });
  });

  it("fails a call in tests whose answer is more than its operation declares", async () => {
    const request = { core, requestId: "req-1" };
    await expect(talkative.call(member, {}, request)).rejects.toThrow(/unrecognized/i);
    const unheld = { ...request, core: { ...core, checksOutputs: false } };
    expect(await talkative.call(member, {}, unheld)).toMatchObject({ name: "Acme Ltd", timezone: "UTC" });
  });

  it("writes the change and its audit entry together [completions.1.audit]", async () => {
    await call(member, { name: "Second" });
    expect(await name()).toBe("Second");
    expect(await entries()).toMatchObject([
      {
        actor_kind: "assistant",
        actor_id: member.memberId,
        connection_id: member.connectionId,
        operation: "renameWorkspace",
        object_type: "workspace",
        object_id: tenantId,
        outcome: "succeeded",
        request_id: "req-1",
      },
    ]);
  });

  it("leaves neither when it fails, or when access ends while it runs [completions.1.audit]", async () => {
    expect(await codeOf(call(member, { name: "Third", fail: true }))).toBe("conflict");
    expect(await codeOf(call(member, { name: "Third" }, AbortSignal.abort(new Error("revoked"))))).toBe(
      "Error: revoked",
    );
    expect(await name()).toBe("Second");
    expect(await entries()).toHaveLength(1);
  });

  it("believes what the store says now, not what was true at sign-in [completions.1.actor] [completions.11.take-away] [completions.11.only-read]", async () => {
    const person = { kind: "person", tenantId, memberId: member.memberId } as const;
    const onPages = async () => [await codeOf(call(person, { name: "Second" })), await codeOf(name(person))];
    const settings = () => codeOf(readSettings.call(person, {}, { core, requestId: "req-1" }));
    expect([...(await onPages()), await settings()]).toEqual(["ok", "ok", "ok"]);
    await update("members", { role: "member" });
    expect([...(await onPages()), await settings()]).toEqual(["permission_denied", "ok", "permission_denied"]);
    expect(await codeOf(call(member, { name: "x" }))).toBe("permission_denied");
    await update("members", { role: "admin", removed_at: NOW });
    expect(await codeOf(call(member, { name: "x" }))).toBe("revoked_credentials");
    expect(await onPages()).toEqual(["permission_denied", "permission_denied"]);
    await update("members", { removed_at: null });
    await update("tenants", { assistant_access: false, api_access: false });
    expect(await codeOf(call(member, { name: "x" }))).toBe("feature_unavailable");
    expect(await codeOf(call(key, { name: "x" }))).toBe("feature_unavailable");
    await update("tenants", { assistant_access: true, api_access: true, assistants: "read" });
    expect(await codeOf(call(member, { name: "x" }))).toBe("permission_denied");
    await update("tenants", { assistants: "write" });
    await update("assistant_connections", { scopes: ["receivables:read", "payment_links:write"] });
    const taken = await call(member, { name: "x" }).catch((error: unknown) => error);
    expect(taken).toMatchObject({ code: "permission_denied", missingScope: "tasks:write" });
    await update("assistant_connections", { scopes: member.scopes });
    await update("assistant_connections", { revoked_at: NOW });
    await update("api_keys", { revoked_at: NOW });
    expect(await codeOf(call(member, { name: "x" }))).toBe("revoked_credentials");
    expect(await codeOf(call(key, { name: "x" }))).toBe("revoked_credentials");
    expect(await name()).toBe("Second");
  });
});
