import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { haMissing, startHa } from "../../cluster/ha.ts";
import { TTL } from "../../cluster/ha-settings.ts";
import { missing, processesOf } from "../../cluster/programs.ts";
import { type ServerProcess, startServer } from "../support/server.ts";
import { IS_THOROUGH } from "../support/thorough.ts";

/** A start of Patroni and of the service on a machine that has other things to do. */
const SLOW_MS = 120_000;

describe("programs of a cluster", () => {
  it("are named where the machine lacks them [contract.cluster.left-out]", () => {
    expect(missing(["sh", "no-such-program", "nor-this-one"])).toEqual(["no-such-program", "nor-this-one"]);
  });
});

describe.skipIf(haMissing() !== null)("two servers under Patroni", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-ha-"));
  let server: ServerProcess | undefined;
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("carry the service on when the primary is killed, which is refused with Retry-After until then; and end with it [contract.cluster.ha]", {
    timeout: 4 * SLOW_MS,
  }, async () => {
    const cluster = await startHa();
    if (cluster === null) throw new Error("nothing was missing");
    try {
      await cluster.createDatabase("receivables");
      const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
      const DATABASE_URL = cluster.urlOf("receivables");
      server = await startServer(folder, { DATABASE_URL, ENCRYPTION_KEY, DEMO: "off", LOG_LEVEL: "warn" });
      const { url } = server;
      const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
      expect(await ready()).toBe(200);
      expect(server.stderr()).not.toContain("synchronous");
      const primary = await cluster.primary();
      expect(primary).not.toBeNull();
      await cluster.at(primary ?? 0).kill();
      await expect.poll(ready, { timeout: SLOW_MS }).toBe(503);
      const refused = await fetch(`${url}/v1/me`, { headers: { Authorization: `Bearer rcv_${"x".repeat(43)}` } });
      expect(refused.status).toBe(500);
      expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
      await expect.poll(ready, { timeout: TTL * 1_000 + SLOW_MS, interval: 500 }).toBe(200);
      expect(await cluster.primary()).toBe(1 - (primary ?? 0));
      // Killed again in the middle of becoming a standby: nothing goes on writing into its data.
      const dead = cluster.at(primary ?? 0);
      dead.start({ isNew: true });
      await expect.poll(() => existsSync(join(dead.node.data, "base")), { timeout: SLOW_MS, interval: 20 }).toBe(true);
      await dead.kill();
      expect(processesOf(dead.node.data)).toEqual([]);
    } finally {
      await cluster.stop();
    }
    expect(existsSync(cluster.folder)).toBe(false);
    expect(await cluster.primary()).toBeNull();
  });

  it.skipIf(!IS_THOROUGH)(
    "keep what was written while the primary stood still, which follows when it wakes up [contract.cluster.ha]",
    { timeout: 4 * SLOW_MS },
    async () => {
      const cluster = await startHa();
      if (cluster === null) throw new Error("nothing was missing");
      try {
        await cluster.createDatabase("receivables");
        const stood = (await cluster.primary()) ?? 0;
        const other = cluster.at(1 - stood);
        cluster.at(stood).freeze();
        await cluster.until(() => other.isPrimary(), "nobody takes over");
        // It is the primary by Patroni's word a moment before it takes writes.
        const write = () =>
          onServer(
            cluster.urlAt(1 - stood, "receivables"),
            "create table if not exists written (n int); insert into written values (7) returning n",
          ).catch(String);
        await expect.poll(write, { timeout: SLOW_MS }).toEqual([{ n: 7 }]);
        cluster.at(stood).thaw();
        await cluster.whole();
        expect(await cluster.primary()).toBe(1 - stood);
        for (const place of [0, 1])
          await expect
            .poll(() => onServer(cluster.urlAt(place, "receivables"), "select n from written"), { timeout: SLOW_MS })
            .toEqual([{ n: 7 }]);
      } finally {
        await cluster.stop();
      }
    },
  );
});

async function onServer(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return [await client.query(statement)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}
