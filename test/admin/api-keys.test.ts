import { beforeAll, describe, expect, it } from "vitest";
import { listApiKeys, parseApiKey } from "../../auth/api-keys/api-key.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { TestClock, testCore } from "../support/core.ts";
import { peopleOf } from "../support/people.ts";
import { rowOf, rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

describe.each(A_STORE)("API keys on $name", ({ open }) => {
  const clock = new TestClock();
  const opened = useStore(open);
  const core = testCore(opened.store, clock);
  let ours: string;
  let theirs: string;
  beforeAll(async () => {
    [ours, theirs] = [(await peopleOf(core).addWorkspace()).id, (await peopleOf(core).addWorkspace()).id];
  });

  it("shows a key once and keeps only its hash [service.5.1.shown-once]", async () => {
    const issued = await operate(core, ours, createApiKey, { name: "ERP export", permission: "readonly" });
    expect(issued.key).toMatch(/^rcv_[0-9A-Za-z]{64}$/);
    const stored = await rowOf(opened.store, null, "api_keys", { key_id: issued.id });
    expect(JSON.stringify(stored)).not.toContain(issued.key);
    expect(stored.key_hash).toBe(parseApiKey(issued.key)?.keyHash);
    const listed = await operate(core, ours, listApiKeys, {});
    expect(listed).toEqual([
      {
        id: issued.id,
        name: "ERP export",
        permission: "readonly",
        created_at: clock.now().toISOString(),
        last_used_at: null,
        revoked_at: null,
        made_by: null,
      },
    ]);
  });

  it("tells a mistyped, cut-off or foreign text from a key without looking [service.5.4.malformed-key]", async () => {
    const { key } = await operate(core, theirs, createApiKey, { name: "k", permission: "admin" });
    const swapped = key.slice(0, 10) + (key[10] === "a" ? "b" : "a") + key.slice(11);
    for (const text of [swapped, key.slice(0, -1), `${key}0`, key.toUpperCase(), ` ${key}`, `${key}\n`, "", "rcv_"]) {
      expect(parseApiKey(text), text).toBeNull();
    }
    expect(parseApiKey(key)).not.toBeNull();
  });

  it("revokes once and for good, in its own workspace only [completions.1.operator-audit]", async () => {
    const { id } = await operate(core, ours, createApiKey, { name: "old", permission: "admin" });
    await expect(operate(core, theirs, revokeApiKey, { id })).rejects.toMatchObject({ code: "not_found" });
    clock.advance(60_000);
    const first = await operate(core, ours, revokeApiKey, { id });
    clock.advance(60_000);
    const again = await operate(core, ours, revokeApiKey, { id });
    expect(again.revoked_at).toBe(first.revoked_at);
    const entries = await rowsOf(opened.store, ours, "audit_entries", { object_id: id }, "at");
    // The second time nothing is changed.
    expect(entries.map((entry) => [entry.actor_kind, entry.operation])).toEqual([
      ["operator", "createApiKey"],
      ["operator", "revokeApiKey"],
    ]);
  });
});
