import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { sql } from "kysely";
import type { Core } from "../src/core/gate/dependencies.ts";
import { ROLLUP_TABLES } from "../src/store/aging/rollup.ts";
import { ask, CALLS, type Figure, limitsOf, nameOf } from "./aging-asked.ts";
import { type AgingBook, fillAgingBook } from "./aging-book.ts";
import { measurePolls } from "./aging-polled.ts";
import { measureRebuild } from "./aging-rebuild.ts";
import { measureWrites } from "./aging-writes.ts";
import { startDatabase } from "./database.ts";
import { buildAging, openService } from "./open-service.ts";
import { report, tell } from "./report.ts";
import { sizesOf } from "./sizes.ts";

const INSTALLMENTS = Number(process.env.BENCH_INSTALLMENTS ?? 1_000_000);
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The summary as one statement over the book, at its best of three: what a service without a roll-up has to do. */
async function straightSummary({ store }: Core, { tenantId }: AgingBook): Promise<number> {
  const once = () =>
    timed(() =>
      store.patient.read(tenantId, (tx) =>
        sql`select currency, width_bucket(current_date - part.due_date, array[1, 31, 61, 91]) as bucket,
            sum(part.collection_outstanding)
          from invoices as invoice join installments as part
            on part.tenant_id = ${tenantId} and part.invoice_id = invoice.invoice_id
          where invoice.tenant_id = ${tenantId} and invoice.retired_at is null and part.removed_at is null
            and not part.closed and part.collection_outstanding > 0 and part.due_date is not null
          group by 1, 2`.execute(tx),
      ),
    );
  return Math.min(await once(), await once(), await once());
}

/** Aging reports of a large book and of one a tenth of its size on PostgreSQL, and of 100,000 installments embedded. */
export async function run(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  try {
    const onServer = await onPostgres(join(folder, "data"));
    return (await embedded(join(folder, "embedded"))) && onServer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres(dataDir: string): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const service = await openService({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  try {
    const { core } = service;
    const begun = performance.now();
    const book = await fillAgingBook(core.store, randomUUID(), INSTALLMENTS);
    const filledMs = performance.now() - begun;
    tell("the book is filled");
    const tenth = await fillAgingBook(core.store, randomUUID(), INSTALLMENTS / 10);
    // What a pull does as it ends, and no more: the books did not come by one.
    const written = { tenantId: book.tenantId, rows: INSTALLMENTS };
    const built = () => core.store.takeStatistics({ ...written, tables: ROLLUP_TABLES });
    await core.store.takeStatistics({ ...written, tables: ["customers", "invoices", "installments"] });
    await buildAging(core, tenth);
    const writes = await measureWrites(core, book, built);
    tell("what writers wait for is measured");
    const [figures = [], small = []] = await ask(service, [book, tenth]);
    const polls = await measurePolls(service, book);
    tell("everything was asked");
    const straight = await straightSummary(core, book);
    const rebuilt = await measureRebuild(core, book);
    const sizes = await sizesOf(core.store);
    const ratios = figures.map(({ p50 }, at) => p50 / (small[at]?.p50 ?? 0));
    return report("aging", {
      note: `${INSTALLMENTS} installments in one workspace, pages of 50, through MCP, ${CALLS} calls each (of what grows, a tenth)`,
      columns: ["tool", "p50 ms", "p99 ms", "of a tenth: p50 ms", "ratio"],
      rows: [
        ...figures.map((figure, at) => rowOf(figure, small[at]?.p50, ratios[at])),
        ...polls.rows,
        ["the summary as straight SQL, without a server", straight.toFixed(0), "", "", ""],
        ...writes.rows.map(([what, ms]) => [what, ms, "", "", ""]),
        ["rebuilding the roll-up beside writers", (rebuilt.seconds * 1_000).toFixed(0), "", "", ""],
        ["a writer's wait meanwhile", "", rebuilt.p99Ms.toFixed(1), "", ""],
        ["filling the book", filledMs.toFixed(0), "", "", ""],
        ["both books on disk, GB", sizes.database.toFixed(2), "", "", ""],
        ["their roll-ups of it, GB", sizes.rollup.toFixed(2), "", "", ""],
      ],
      limits: [
        ...limitsOf(figures),
        {
          what: "greatest ratio to a tenth of the book",
          value: Math.max(...ratios.filter((_, at) => figures[at]?.most !== null)),
          most: 1.5,
        },
        polls.limit,
        { what: "longest wait of a writer for a rebuild, ms", value: rebuilt.longestMs, most: 250 },
        // The most a page can cost: each of 2,500 installments and 500 customers has other figures than before.
        { what: "500 changed invoices with and without the roll-up, ratio", value: writes.ratio, most: 2 },
      ],
    });
  } finally {
    await service.close();
    await database.stop();
  }
}

const rowOf = (figure: Figure, ...others: readonly (number | undefined)[]): string[] => [
  nameOf(figure),
  ...[figure.p50, figure.p99, ...others].map((value) => value?.toFixed(2) ?? ""),
];

async function embedded(dataDir: string): Promise<boolean> {
  const installments = Math.min(INSTALLMENTS, 100_000);
  const service = await openService({ DATA_DIR: dataDir });
  try {
    const book = await fillAgingBook(service.core.store, randomUUID(), installments);
    await buildAging(service.core, book);
    await service.core.store.maintain();
    const [figures = []] = await ask(service, [book]);
    return report("aging-embedded", {
      note: `${installments} installments in one workspace of the embedded store, through MCP, ${CALLS} calls each`,
      columns: ["tool", "p50 ms", "p99 ms"],
      rows: figures.map((figure) => [nameOf(figure), figure.p50.toFixed(2), figure.p99.toFixed(2)]),
      limits: limitsOf(figures, 15),
    });
  } finally {
    await service.close();
  }
}
