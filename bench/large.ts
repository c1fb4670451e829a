import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROLLUP_TABLES } from "../src/store/aging/rollup.ts";
import { ask, CALLS, limitsOf, nameOf } from "./aging-asked.ts";
import { type AgingBook, fillAgingBook } from "./aging-book.ts";
import { measureRebuild } from "./aging-rebuild.ts";
import { startDatabase } from "./database.ts";
import { buildAging, openService } from "./open-service.ts";
import { report, tell } from "./report.ts";
import { sizesOf } from "./sizes.ts";

const INSTALLMENTS = Number(process.env.BENCH_INSTALLMENTS ?? 10_000_000);

const shown = (ms: number): string => (Number.isFinite(ms) ? ms.toFixed(2) : "refused");

/** A book of 10,000,000 installments in one workspace: how large it is, how long its roll-up takes, and what reports cost. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const service = await openService({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  const seconds = async (what: string, work: () => Promise<unknown>): Promise<[string, string]> => {
    const begun = performance.now();
    await work();
    tell(what);
    return [what, ((performance.now() - begun) / 1_000).toFixed(1)];
  };
  try {
    const { core } = service;
    const { store } = core;
    let book: AgingBook = { tenantId: randomUUID(), connectionId: "", customerKey: "" };
    const times = [
      await seconds("filling the book, s", async () => {
        book = await fillAgingBook(store, book.tenantId, INSTALLMENTS);
      }),
      await seconds("statistics of it, s", () =>
        store.takeStatistics({
          tenantId: book.tenantId,
          tables: ["customers", "invoices", "installments"],
          rows: INSTALLMENTS,
        }),
      ),
    ];
    const before = await sizesOf(store);
    times.push(
      await seconds("building the roll-up, s", () => buildAging(core, book)),
      await seconds("statistics of it, s", () =>
        store.takeStatistics({ tenantId: book.tenantId, tables: ROLLUP_TABLES, rows: INSTALLMENTS }),
      ),
    );
    const after = await sizesOf(store);
    const [figures = []] = await ask(service, [book]);
    tell("everything was asked");
    const rebuilt = await measureRebuild(core, book);
    return report("large", {
      note: `${INSTALLMENTS} installments in one workspace, pages of 50, through MCP, ${CALLS} calls each (of what grows, a tenth)`,
      columns: ["what", "p50 ms", "p99 ms", "here"],
      rows: [
        ...figures.map((figure) => [nameOf(figure), shown(figure.p50), shown(figure.p99)]),
        ["the database without a roll-up, GB", "", "", before.database.toFixed(2)],
        ["its roll-up, GB", "", "", after.rollup.toFixed(2)],
        ...times.map(([what, time]) => [what, "", "", time]),
        [`rebuilding the roll-up${rebuilt.isWhole ? "" : ", ended early"}, s`, "", "", rebuilt.seconds.toFixed(0)],
        ["a writer's wait meanwhile", "", rebuilt.p99Ms.toFixed(1)],
      ],
      limits: [
        ...limitsOf(figures),
        { what: "longest wait of a writer for a rebuild, ms", value: rebuilt.longestMs, most: 250 },
      ],
    });
  } finally {
    await service.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
