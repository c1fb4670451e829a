import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { sql } from "kysely";
import { addMember } from "../auth/members/add-member.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { operate } from "../src/core/gate/operator.ts";
import { ROLLUP_TABLES } from "../src/store/aging/rollup.ts";
import { approveByForms, connectAssistant } from "../test/support/assistant.ts";
import { type AgingBook, fillAgingBook } from "./aging-book.ts";
import { type Question, questions } from "./aging-questions.ts";
import { measureRebuild } from "./aging-rebuild.ts";
import { measureWrites } from "./aging-writes.ts";
import { type Caller, startCaller } from "./caller.ts";
import { startDatabase } from "./database.ts";
import { buildAging, type OpenService, openService } from "./open-service.ts";
import { median, quantile } from "./quantile.ts";
import { report } from "./report.ts";
import { sizesOf } from "./sizes.ts";

const INSTALLMENTS = Number(process.env.BENCH_INSTALLMENTS ?? 1_000_000);
const CALLS = Number(process.env.BENCH_CALLS ?? 200);
const WARM_UP = Math.min(60, CALLS);
/** What grows with the book is slow, and held to nothing: it is asked less often. */
const callsOf = ({ most }: Question, calls: number): number => Math.ceil(most === null ? calls / 10 : calls);
const ROUNDS = Math.min(8, CALLS);
const PASSWORD = "a long enough password";

interface Figure extends Question {
  p50: number;
  p99: number;
}

/** Somebody who asks for the aging of a book, and how long their answers took. */
interface Asker {
  caller: Caller;
  /** Gets them a new access token. */
  renew(): Promise<void>;
  /** What they ask, and the milliseconds of each answer. */
  asked: { question: Question; times: number[] }[];
}

async function askerOf({ core, url }: OpenService, book: AgingBook): Promise<Asker> {
  const person = { email: `bench-${randomUUID()}@bench.example`, password: PASSWORD };
  await operate(core, book.tenantId, addMember, { ...person, role: "member" });
  const { provider, client } = await connectAssistant(`${url}/mcp`, approveByForms(url, person));
  await client.close();
  const caller = await startCaller({ url, token: provider.kept?.access_token ?? "" });
  const renew = async () => {
    await auth(provider, { serverUrl: `${url}/mcp` });
    caller.take(provider.kept?.access_token ?? "");
  };
  return { caller, renew, asked: questions(book).map((question) => ({ question, times: [] })) };
}

/**
 * Figures of each book. First everything is asked unmeasured: a server runs for days, and compiles what it uses in its first
 * seconds. Then the books are asked in turn, a few calls each, for a machine is not the same from one minute to the next.
 */
async function ask(service: OpenService, books: readonly AgingBook[]): Promise<Figure[][]> {
  const askers = await Promise.all(books.map((book) => askerOf(service, book)));
  for (const { caller, renew, asked } of askers)
    for (const { question } of asked) {
      await renew();
      await caller.make({ ...question, calls: callsOf(question, WARM_UP) });
    }
  for (const at of askers[0]?.asked.keys() ?? []) {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { caller, renew, asked } of askers) {
        const { question, times } = asked[at] ?? {};
        if (question === undefined) throw new Error("every book is asked the same");
        await renew();
        service.times.length = 0;
        await caller.make({ ...question, calls: callsOf(question, CALLS / ROUNDS) });
        times?.push(...service.times);
      }
    }
  }
  for (const { caller } of askers) await caller.leave();
  return askers.map(({ asked }) =>
    asked.map(({ question, times }) => ({ ...question, p50: median(times), p99: quantile(times, 0.99) })),
  );
}

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

const name = ({ tool, args }: Question): string =>
  [tool, ...Object.entries(args).map(([key, value]) => (key === "customer_key" ? key : `${key}=${value}`))].join(" ");

/** What the median of each kind of call is held to. */
const limitsOf = (figures: readonly Figure[], least = 0) =>
  figures.flatMap((figure) =>
    figure.most === null ? [] : [{ what: name(figure), value: figure.p50, most: Math.max(least, figure.most) }],
  );

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
    const tenth = await fillAgingBook(core.store, randomUUID(), INSTALLMENTS / 10);
    // What a pull does as it ends, and no more: the books did not come by one.
    const pulled = () => core.store.takeStatistics(["customers", "invoices", "installments"], INSTALLMENTS);
    const built = () => core.store.takeStatistics(ROLLUP_TABLES, INSTALLMENTS);
    await pulled();
    await buildAging(core, tenth);
    const writes = await measureWrites(core, book, built);
    const [figures = [], small = []] = await ask(service, [book, tenth]);
    const straight = await straightSummary(core, book);
    const rebuilt = await measureRebuild(core, book);
    const sizes = await sizesOf(core.store);
    const ratios = figures.map(({ p50 }, at) => p50 / (small[at]?.p50 ?? 0));
    return report("aging", {
      note: `${INSTALLMENTS} installments in one workspace, pages of 50, through MCP, ${CALLS} calls each (of what grows, a tenth)`,
      columns: ["tool", "p50 ms", "p99 ms", "of a tenth: p50 ms", "ratio"],
      rows: [
        ...figures.map((figure, at) => [
          name(figure),
          figure.p50.toFixed(2),
          figure.p99.toFixed(2),
          small[at]?.p50.toFixed(2) ?? "",
          ratios[at]?.toFixed(2) ?? "",
        ]),
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
      rows: figures.map((figure) => [name(figure), figure.p50.toFixed(2), figure.p99.toFixed(2)]),
      limits: limitsOf(figures, 15),
    });
  } finally {
    await service.close();
  }
}
