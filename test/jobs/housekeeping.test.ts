import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { housekeep } from "../../src/jobs/housekeeping.ts";
import { usePullWorld } from "../support/pulls.ts";
import { everyRow, storesOf } from "../support/stores.ts";

describe.each(storesOf(import.meta.url))("housekeeping on $name", ({ open }) => {
  const world = usePullWorld(open);
  const { core } = world;

  it("removes what has expired and keeps what has not", async () => {
    const { tenantId } = world;
    const [before, now, after] = ["2026-03-10T13:59:59.000Z", "2026-03-10T14:59:00.000Z", "2026-03-10T15:00:01.000Z"];
    const personId = randomUUID();
    await everyRow(core.store, async (tx) => {
      const person = { person_id: personId, email: `${personId}@example.test`, name: null, password_hash: null };
      await tx
        .insertInto("people")
        .values({ ...person, created_at: before })
        .execute();
      for (const at of [before, now]) {
        await tx
          .insertInto("rate_windows")
          .values({ tenant_id: tenantId, subject: "key", window_start: at, hits: 1 })
          .execute();
        await tx.insertInto("attempt_windows").values({ subject: tenantId, window_start: at, hits: 1 }).execute();
      }
      for (const expires_at of [now, after, null]) {
        const artifact = { model: tenantId, id_hash: randomUUID(), payload: "{}", grant_id: null, uid: null };
        await tx
          .insertInto("oidc_artifacts")
          .values({ ...artifact, consumed_at: null, expires_at })
          .execute();
      }
      for (const expires_at of [now, after]) {
        const session = { session_hash: randomUUID(), person_id: personId, created_at: before };
        await tx
          .insertInto("web_sessions")
          .values({ ...session, expires_at })
          .execute();
      }
    });
    await housekeep(core);
    const left = await everyRow(core.store, async (tx) => ({
      windows: await tx.selectFrom("rate_windows").select("window_start").where("tenant_id", "=", tenantId).execute(),
      attempts: await tx.selectFrom("attempt_windows").select("window_start").where("subject", "=", tenantId).execute(),
      artifacts: await tx.selectFrom("oidc_artifacts").select("expires_at").where("model", "=", tenantId).execute(),
      sessions: await tx.selectFrom("web_sessions").select("expires_at").where("person_id", "=", personId).execute(),
    }));
    expect(left).toMatchObject({ windows: [{ window_start: now }], attempts: [{ window_start: now }] });
    expect(left.artifacts.map((row) => row.expires_at)).toEqual(expect.arrayContaining([after, null]));
    expect(left.artifacts).toHaveLength(2);
    expect(left.sessions).toEqual([{ expires_at: after }]);
  });
});
