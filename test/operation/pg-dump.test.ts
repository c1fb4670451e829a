import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { openPostgres } from "../../src/store/database.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { call } from "../support/lists.ts";
import { createDatabase } from "../support/stores.ts";
import { documentedCommands } from "./documents.ts";

const server = inject("postgresUrl");
/** The programs of PostgreSQL, of the version of the tests' server; rows on workers are not for them (docs/scale.md). */
const canRun =
  server !== null && inject("citus") === null && existsSync("/usr/lib/postgresql") && existsSync("/usr/bin/pg_dump");

it.skipIf(!canRun)(
  "the documented way with PostgreSQL's own programs brings everything back [contract.operation.pg-dump]",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "receivables-dump-"));
    const { databaseUrl, drop } = await createDatabase();
    const name = `restored_${crypto.randomUUID().replaceAll("-", "")}`;
    const admin = new pg.Client({ connectionString: `${server}postgres` });
    await admin.connect();
    await admin.query(`create database ${name}`);
    try {
      const store = await openPostgres(databaseUrl);
      const book = await openBook(store);
      await book.invoice({}, [{ original_amount: "123.45", due_date: "2026-01-01" }]);
      const before = await call(testCore(store), summarizeAging, book.reader);
      await store.close();

      const env = {
        PATH: process.env.PATH ?? "",
        DATABASE_URL: databaseUrl,
        NEW_DATABASE_URL: `${server}${name}`,
        BACKUP: join(folder, "backup"),
      };
      const lines = documentedCommands().filter(({ line }) => /^pg_|NEW_DATABASE_URL/.test(line));
      expect(lines).toHaveLength(4);
      for (const { line } of lines) {
        const run = spawnSync("sh", ["-c", line], { env, encoding: "utf8" });
        expect(run.status, `${line}\n${run.stderr}`).toBe(0);
      }

      const restored = await openPostgres(env.NEW_DATABASE_URL);
      const after = await call(testCore(restored), summarizeAging, book.reader);
      await restored.close();
      expect(after).toEqual(before);
      expect(after.totals).toMatchObject([{ outstanding: "123.45" }]);
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
      await drop();
      rmSync(folder, { recursive: true });
    }
  },
);
