import { sql } from "kysely";
import { describe, expect, inject, it } from "vitest";
import { holdFigures, lockTenantFigures } from "../../src/core/collection/collection-queries.ts";
import { claimByTurns } from "../../src/core/gate/claims.ts";
import { workStep } from "../../src/core/gate/work-step.ts";
import { consumeRefreshToken, upsertArtifact } from "../../src/store/identity/oidc-artifacts.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import { testCore } from "../support/core.ts";
import { addTenants } from "../support/stored.ts";
import { onOwnDatabase } from "../support/stores.ts";

describe.skipIf(inject("postgresUrl") === null)("claims of all workspaces", () => {
  it("pass one by that waits for a lock of its own [contract.database.turns]", () =>
    onOwnDatabase(
      async (store) => {
        const [busy = "", other = ""] = (await addTenants(store, {}, {})).sort();
        const [free, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const lockOf = (tx: Transaction, tenantId: string) =>
          tx.selectFrom("tenants").select("name").where("tenant_id", "=", tenantId).forUpdate().execute();
        const own = Array.from({ length: 3 }, () =>
          store.patient.write(busy, async (tx) => {
            await lockOf(tx, busy);
            locked.resolve();
            await free.promise;
          }),
        );
        await locked.promise;
        const claimed = (how: Store) =>
          claimByTurns(
            testCore(how),
            { limit: 2 },
            {
              find: async (_tx, _shards, { after }) =>
                after === null ? [busy, other].map((tenant_id) => ({ tenant_id })) : [],
              async claim(tx, { tenant_id: tenantId }) {
                await lockOf(tx, tenantId);
                return { rows: [tenantId] };
              },
            },
          );
        expect(await claimed(store.patient)).toEqual([other]);
        const visit = workStep({
          name: "test",
          find: async () => [busy, other],
          run: ({ tx, tenantId }) => lockOf(tx, tenantId).then(() => tenantId),
        });
        expect(await visit(testCore(store.patient))).toEqual([other]);
        free.resolve();
        await Promise.all(own);
        expect(await claimed(store.patient)).toEqual([busy, other]);
      },
      { poolSize: 10 },
    ));

  it("leave other workspaces the turns of own work that three do not need while their figures are held [contract.database.turns]", () =>
    onOwnDatabase(
      async (store) => {
        const [other = "", ...three] = await addTenants(store, {}, {}, {}, {});
        const free = Promise.withResolvers<void>();
        let held = 0;
        const holders = three.map((tenantId) =>
          store.write(tenantId, async (tx) => {
            await lockTenantFigures(tx, tenantId);
            held += 1;
            await free.promise;
          }),
        );
        await expect.poll(() => held).toBe(3);
        let done = 0;
        const own = three
          .flatMap((tenantId) => [tenantId, tenantId])
          .map((tenantId) =>
            store.patient.write(tenantId, async (tx) => {
              await holdFigures(tx, tenantId);
              done += 1;
            }),
          );
        for (let round = 0; round < 20; round += 1) await store.patient.write(other, (tx) => holdFigures(tx, other));
        expect(done).toBe(0);
        free.resolve();
        await Promise.all([...holders, ...own]);
        expect(done).toBe(6);
      },
      { poolSize: 10 },
    ));

  it("[contract.database.turns] leave the directory and tenants the connections that much about one thing does not get", () =>
    onOwnDatabase(
      async (store) => {
        const free = Promise.withResolvers<void>();
        let begun = 0;
        const flood = Array.from({ length: 20 }, () =>
          store
            .directory(async (tx) => {
              await sql`select 1`.execute(tx);
              begun += 1;
              await free.promise;
            }, "an address")
            .catch(() => undefined),
        );
        await expect.poll(() => begun).toBe(3);
        const ask = (tx: Transaction) => sql`select 1`.execute(tx);
        for (const about of ["another", undefined, "a third"]) await store.directory(ask, about);
        for (let round = 0; round < 5; round += 1) await store.read(crypto.randomUUID(), ask);
        expect(begun).toBe(3);
        free.resolve();
        await Promise.all(flood);
      },
      { poolSize: 10 },
    ));

  it("[facts.oauth.refresh-grace] are no reason for refreshes of one approval to undo each other", () =>
    onOwnDatabase(
      async (store) => {
        const [now, later] = ["2026-03-10T15:00:00.000Z", "2026-04-10T15:00:00.000Z"];
        const payload = JSON.stringify({ sessionUid: "family", rotations: 1 });
        const kept = {
          model: "RefreshToken",
          payload,
          grant_id: crypto.randomUUID(),
          uid: null,
          holder: "",
          expires_at: later,
        };
        for (let round = 0; round < 10; round += 1) {
          const ids = Array.from({ length: 8 }, () => crypto.randomUUID());
          for (const id_hash of ids) await store.directory((tx) => upsertArtifact(tx, { ...kept, id_hash }));
          const used = ids.map((idHash) =>
            store.directory((tx) =>
              consumeRefreshToken(tx, { model: kept.model, idHash }, { now, graceStart: "2026-03-10T14:59:30.000Z" }),
            ),
          );
          expect(await Promise.all(used)).toEqual(ids.map(() => true));
        }
      },
      { poolSize: 10 },
    ));

  it("pass one by whose figures are held, for which its own permissions do not wait [contract.database.turns]", () =>
    onOwnDatabase(async (store) => {
      const [tenantId = ""] = await addTenants(store, {});
      await store.patient.write(tenantId, async (tx) => {
        await lockTenantFigures(tx, tenantId);
        await store.directory((other) =>
          other.updateTable("tenants").set({ assistants: "read" }).where("tenant_id", "=", tenantId).execute(),
        );
        const held = store.brisk.write(tenantId, (other) => lockTenantFigures(other, tenantId));
        await expect(held).rejects.toMatchObject({ name: "StoreUnavailable" });
      });
    }));
});
