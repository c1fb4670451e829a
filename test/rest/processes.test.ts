import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { openPostgres } from "../../src/store/database.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { newKey, send } from "../support/rest-app.ts";
import { type ServerProcess, startServer } from "../support/server.ts";
import { createDatabase } from "../support/stores.ts";

const PROCESSES = 4;
const REQUESTS = 240;

describe.skipIf(inject("postgresUrl") === null)("several processes on one PostgreSQL", () => {
  it("let exactly 120 requests of one key pass in a minute [service.8.key-limit]", { timeout: 180_000 }, async () => {
    const { databaseUrl, drop } = await createDatabase();
    const folder = mkdtempSync(join(tmpdir(), "receivables-processes-"));
    const servers: ServerProcess[] = [];
    try {
      const store = await openPostgres(databaseUrl);
      const core = testCore(store, { now: () => new Date() });
      const key = await newKey(core, (await openBook(store)).tenantId);
      await store.close();
      const environment = {
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
        LOG_LEVEL: "warn",
      };
      for (let n = 0; n < PROCESSES; n += 1) servers.push(await startServer(join(folder, String(n)), environment));
      // The requests belong to one minute: with little of it left, the next is waited for.
      const left = 60_000 - (Date.now() % 60_000);
      if (left < 20_000) await sleep(left + 100);
      const minute = Math.floor(Date.now() / 60_000);
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, n) => send(`${servers[n % PROCESSES]?.url}/v1/me`, { key })),
      );
      expect(Math.floor(Date.now() / 60_000)).toBe(minute);
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
      rmSync(folder, { recursive: true, force: true });
      await drop();
    }
  });
});
