import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { newKey, send } from "../support/rest-app.ts";
import { type ServerProcess, startServer } from "../support/server.ts";
import { createDatabase } from "../support/stores.ts";

const PROCESSES = 3;
const REQUESTS = 240;

describe.skipIf(inject("postgresUrl") === null)("several processes on one PostgreSQL", () => {
  it("let exactly 120 requests of one key pass in a minute [service.8.key-limit]", async () => {
    const { databaseUrl, drop } = await createDatabase();
    const store = await openPostgres(databaseUrl);
    const folder = mkdtempSync(join(tmpdir(), "receivables-processes-"));
    const servers: ServerProcess[] = [];
    try {
      const core = testCore(store, { now: () => new Date() });
      const { tenantId } = await openBook(store);
      const environment = {
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
        DEMO: "off",
        LOG_LEVEL: "warn",
      };
      for (let n = 0; n < PROCESSES; n += 1) servers.push(await startServer(join(folder, String(n)), environment));
      const minuteNow = (): number => Math.floor(Date.now() / 60_000);
      const ask = async () => {
        const key = await newKey(core, tenantId);
        const began = minuteNow();
        const answers = await Promise.all(
          Array.from({ length: REQUESTS }, (_, n) => send(`${servers[n % PROCESSES]?.url}/v1/me`, { key })),
        );
        return { answers, isWithinMinute: began === minuteNow() };
      };
      let asked = await ask();
      // Those that a minute's end parted tell nothing: they are sent again, with another key.
      for (let tries = 1; tries < 3 && !asked.isWithinMinute; tries += 1) asked = await ask();
      expect(asked.isWithinMinute).toBe(true);
      const { answers } = asked;
      const counts = Map.groupBy(answers, (answer) => answer.status);
      expect([...counts.keys()].sort()).toEqual([200, 429]);
      expect(counts.get(200)).toHaveLength(120);
      const remaining = (counts.get(200) ?? []).map((answer) => Number(answer.headers.get("RateLimit-Remaining")));
      expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, n) => n));
      for (const { headers } of counts.get(429) ?? []) {
        expect(headers.get("RateLimit-Remaining")).toBe("0");
        expect(headers.get("Retry-After")).toBe(headers.get("RateLimit-Reset"));
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await store.close();
      rmSync(folder, { recursive: true, force: true });
      await drop();
    }
  });
});
