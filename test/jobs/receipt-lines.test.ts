import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { endClaim } from "../../src/core/gate/claims.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { claimPush } from "../../src/core/payments/receipts/claimed-push.ts";
import type { ClaimedPush } from "../../src/core/payments/receipts/push-queries.ts";
import { ErpError } from "../../src/gateways/erp/gateway.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { connectionRow, insertRows, invoiceRow } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { waiting } from "../support/locks.ts";
import { multiply } from "../support/multiply.ts";
import { makeTenant, quickConnect } from "../support/pulls.ts";
import { analyze, holding, readsOf } from "../support/reads.ts";
import { expectSameCost } from "../support/same-cost.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";

const LEASE_MS = 20_000;
const MINUTE = 60_000;

const urlOf = ({ connectionId }: { connectionId: string }): string => `https://${connectionId}.example.test`;

describe.each(A_STORE)("receipts that wait for their ERPs on $name", ({ name, open }) => {
  const clock = new TestClock();
  let opened: TestStore;
  let core: Core;
  beforeEach(async () => {
    opened = await open();
    core = testCore(opened.store, clock);
  });
  afterEach(() => opened.remove());

  /** Connects a workspace, of its own unless it is named, to an ERP, with an invoice. */
  async function line(of?: string): Promise<{ tenantId: string; connectionId: string; invoiceId: string }> {
    const tenantId = of ?? (await makeTenant(core));
    const connectionId = randomUUID();
    const credential = core.secrets.encrypt("a password", `erp_connections/${connectionId}`);
    const connection = connectionRow(tenantId, {
      connection_id: connectionId,
      credential,
      base_url: urlOf({ connectionId }),
    });
    const invoice = invoiceRow(tenantId, { connection_id: connectionId });
    await core.store.write(tenantId, (tx) => insertRows(tx, { erp_connections: [connection], invoices: [invoice] }));
    return { tenantId, connectionId, invoiceId: invoice.invoice_id };
  }

  /** Receipts of one connection that have been due for a while, unless they say otherwise. */
  async function due(
    { tenantId, connectionId, invoiceId }: { tenantId: string; connectionId: string; invoiceId: string },
    count: number,
    status: "pending" | "applied" = "pending",
  ): Promise<void> {
    const since = new Date(clock.now().getTime() - MINUTE).toISOString();
    await core.store.write(tenantId, (tx) =>
      sql`insert into payments (tenant_id, payment_id, connection_id, invoice_id, currency, amount, confirmed_at, paid_at, created_at, erp_push_status)
        select ${tenantId}::uuid, gen_random_uuid(), ${connectionId}::uuid, ${invoiceId}::uuid, 'USD', 1, ${since}::timestamptz, ${since}::timestamptz, ${since}::timestamptz, ${status}
        from generate_series(1, ${count}::int) on conflict do nothing`.execute(tx),
    );
  }

  /** ERPs that never answer about receipts, but one, which refuses after a while; and the addresses of those asked. */
  function silent(answering?: string, afterMs = 0) {
    const asked: string[] = [];
    const connect: ConnectGateway = (provider, settings) => {
      const hang = async (signal: AbortSignal | undefined) => {
        asked.push(settings.baseUrl);
        await sleep(settings.baseUrl === answering ? afterMs : 0);
        if (settings.baseUrl === answering) throw new ErpError("erp_rejected", { code: "unexpected" });
        signal?.throwIfAborted();
        return new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      };
      return {
        ...quickConnect(provider, settings),
        findReceipt: (_, { signal }) => hang(signal),
        createReceipt: (_, { signal }) => hang(signal),
      };
    };
    return { asked, connect };
  }
  const lines = (count: number) => Promise.all(Array.from({ length: count }, () => line()));
  const claim = (on: Core = core) => claimPush(on, LEASE_MS);
  const claimed = async (): Promise<ClaimedPush> => {
    const push = await claim();
    if (push === undefined) throw new Error("no push was due");
    return push;
  };

  it("are claimed at the same cost, however many are due, of one ERP or of many [facts.scale.claim-cost]", async () => {
    const all = await lines(100);
    const some = all.slice(0, 10);
    for (const one of some) await due(one, 1);
    for (const one of some) await due(one, 999, "applied");
    await analyze(core.store);
    // Given back each time, so that no claim has another's line to pass over.
    const cost = () =>
      readsOf(core, async (on) => {
        const push = await claim(on);
        if (push !== undefined) await endClaim(core, "payments", push);
      });
    await cost();
    const few = await cost();
    for (const one of some) await due(one, 999);
    await analyze(core.store);
    expectSameCost(await cost(), few);
    for (const one of all.slice(10)) await due(one, 1);
    await analyze(core.store);
    expectSameCost(await cost(), few);
  });

  it("of an ERP that is disconnected are not looked at, and go on at once when it is back [facts.scale.disconnected]", async () => {
    const [gone, there] = [await line(), await line()];
    await due(gone, 1);
    await operate(core, gone.tenantId, disconnectErp, { connectionId: gone.connectionId });
    await analyze(core.store);
    const few = await readsOf(core, claim);
    await due(gone, 10_000);
    await analyze(core.store);
    expectSameCost(await readsOf(core, claim), few);
    await due(there, 1);
    expect(await claimed()).toMatchObject({ tenant_id: there.tenantId });
    expect(await claim()).toBeUndefined();

    const asked = new Set<string>();
    const connect: ConnectGateway = (_provider, settings) => {
      asked.add(settings.password);
      throw new Error("no ERP is asked here");
    };
    const jobs = createJobs(core, { connect, lookEveryMs: 60 * MINUTE });
    try {
      await jobs.start();
      await operate(core, gone.tenantId, reconnectErp, { connectionId: gone.connectionId, password: "another" });
      await expect.poll(() => [...asked], { timeout: 10_000 }).toContain("another");
    } finally {
      await jobs.drain(0);
    }
  });

  it("go to one workspace by a quarter of their places at most, however many slow ERPs it has [facts.scale.fair-slots]", async () => {
    const first = await line();
    const slow = [first, ...(await Promise.all(Array.from({ length: 6 }, () => line(first.tenantId))))];
    const other = await line();
    for (const one of [...slow, other]) await due(one, 2);
    const { asked, connect } = silent();
    const jobs = createJobs(core, { connect, pullsAtOnce: 0, lookEveryMs: 50 });
    await jobs.start();
    try {
      await expect.poll(() => asked).toContain(urlOf(other));
      await expect.poll(() => asked.length).toBeGreaterThanOrEqual(4);
      await sleep(300);
      expect(asked.length).toBeLessThanOrEqual(5);
    } finally {
      await jobs.drain(0);
    }
  });

  it.each([
    { workspaces: 16, erps: 1, begun: 16, afterMs: 0 },
    { workspaces: 4, erps: 4, begun: 8, afterMs: 0 },
    { workspaces: 1, erps: 4, begun: 4, afterMs: 300 },
  ])(
    "of $workspaces workspaces with $erps ERPs each that do not answer hold up none that does, after $afterMs ms [facts.scale.fair-slots]",
    async ({ workspaces, erps, begun, afterMs }) => {
      for (const first of await lines(workspaces)) {
        const own = [first, ...(await Promise.all(Array.from({ length: erps - 1 }, () => line(first.tenantId))))];
        for (const one of own) await due(one, 2);
      }
      const other = await line();
      const { asked, connect } = silent(urlOf(other), afterMs);
      const jobs = createJobs(core, { connect, pullsAtOnce: 0, lookEveryMs: 50, silentAfterMs: 100 });
      await jobs.start();
      try {
        await expect.poll(() => new Set(asked).size, { timeout: 20_000 }).toBeGreaterThanOrEqual(begun);
        await due(other, 20);
        const told = () => asked.filter((url) => url === urlOf(other)).length;
        await expect.poll(told, { timeout: 20_000 }).toBeGreaterThanOrEqual(5);
      } finally {
        await jobs.drain(0);
      }
    },
  );

  it("are claimed of each ERP in turn, whoever has thousands, beside many ERPs with nothing due [facts.scale.turns]", async () => {
    const all = await lines(4);
    // With thousands the planner looks the few lines up by their connections.
    const { tenantId } = await line();
    await core.store.patient.write(tenantId, (tx) =>
      multiply(tx, "erp_connections", {
        which: sql`one.tenant_id = ${tenantId}`,
        count: 5_000,
        changes: sql`jsonb_build_object('connection_id', gen_random_uuid())`,
      }),
    );
    await due(all[0] ?? (await line()), 2_000);
    for (const one of all) await due(one, 2);
    await analyze(core.store);
    const turn = { after: null };
    const order: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const push = await claimPush(core, LEASE_MS, { turn });
      if (push === undefined) throw new Error("no push was due");
      order.push(push.tenant_id);
      // As one that was told of, which nobody has to tell again.
      await core.store.write(push.tenant_id, (tx) =>
        sql`update payments set erp_push_status = 'applied' where tenant_id = ${push.tenant_id} and payment_id = ${push.payment_id}`.execute(
          tx,
        ),
      );
      await endClaim(core, "payments", push);
    }
    const tenants = all.map(({ tenantId }) => tenantId).sort();
    expect(order).toEqual([...tenants, ...tenants]);
  });

  // The embedded store has one connection, so that no two transactions are open.
  it.skipIf(name === "the embedded store")(
    "are claimed by several workers at once, none waiting for another [facts.scale.claim-alone]",
    async () => {
      for (const one of await lines(2)) await due(one, 5);
      const hold = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const slow = claimPush({ ...core, store: holding(core.store, held, hold) }, LEASE_MS);
      try {
        await held.promise;
        const quick = claimed();
        await expect.poll(() => waiting(core.store)).toBe(0);
        const second = await quick;
        hold.resolve();
        expect((await slow)?.tenant_id).not.toBe(second.tenant_id);
        expect(await claim()).toBeUndefined();
      } finally {
        hold.resolve();
        await slow;
      }
    },
  );
});
