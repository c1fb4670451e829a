import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { openPostgres } from "../../src/store/database.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { call } from "../support/lists.ts";
import { startPostgres } from "../support/postgres.ts";
import { documentedCommands } from "./documents.ts";

/** The programs of PostgreSQL; rows on workers are not for them (docs/scale.md). */
const canRun = inject("citus") === null && existsSync("/usr/lib/postgresql") && existsSync("/usr/bin/pg_dump");

it.skipIf(!canRun)(
  "the documented way with PostgreSQL's own programs brings everything to another server [contract.operation.pg-dump]",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "receivables-dump-"));
    const [from, to] = [await startPostgres(), await startPostgres({ isNewest: true })];
    if (from === null || to === null) throw new Error("no PostgreSQL");
    const asService = (url: string): string =>
      `${url.replace("postgres@", "receivables:letters-and-digits@")}receivables`;
    const env = {
      PATH: process.env.PATH ?? "",
      ADMIN_URL: `${from.url}postgres`,
      DATABASE_URL: `${from.url}receivables`,
      NEW_ADMIN_URL: `${to.url}postgres`,
      NEW_DATABASE_URL: `${to.url}receivables`,
      BACKUP: join(folder, "backup"),
    };
    const run = (wanted: RegExp, count: number): void => {
      const lines = documentedCommands().filter(
        ({ document, line }) => document === "docs/operate.md" && wanted.test(line),
      );
      expect(lines).toHaveLength(count);
      for (const { line } of lines) {
        const { status, stderr } = spawnSync("sh", ["-c", line], { env, encoding: "utf8" });
        expect(status, `${line}\n${stderr}`).toBe(0);
      }
    };
    try {
      run(/"\$ADMIN_URL" -c "create/, 2);
      const store = await openPostgres(asService(from.url));
      const book = await openBook(store);
      await book.invoice({}, [{ original_amount: "123.45", due_date: "2026-01-01" }]);
      const before = await call(testCore(store), summarizeAging, book.reader);
      await store.close();

      run(/^pg_(dump|restore) |\$NEW_/, 7);

      const restored = await openPostgres(asService(to.url));
      const after = await call(testCore(restored), summarizeAging, book.reader);
      await restored.close();
      expect(after).toEqual(before);
      expect(after.totals).toMatchObject([{ outstanding: "123.45" }]);
    } finally {
      from.stop();
      to.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
