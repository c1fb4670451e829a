import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember } from "../auth/members/add-member.ts";
import { operate } from "../src/core/gate/operator.ts";
import { Browser } from "../test/support/browser.ts";
import { type AgingBook, fillAgingBook } from "./aging-book.ts";
import { startDatabase } from "./database.ts";
import { buildAging, type OpenService, openService } from "./open-service.ts";
import { median, quantile } from "./quantile.ts";
import { report } from "./report.ts";

const INSTALLMENTS = Number(process.env.BENCH_INSTALLMENTS ?? 1_000_000);
const CALLS = Number(process.env.BENCH_CALLS ?? 100);
const WARM_UP = Math.min(40, CALLS);
const PASSWORD = "a long enough password";
/** Of a page without its style sheet. */
const MOST_BYTES = 100_000;

/** The pages that people open most, and what the median inside the server is held to, in milliseconds. */
const pagesOf = ({ customerKey }: AgingBook): readonly { path: string; most: number | null }[] => [
  { path: "/", most: 40 },
  { path: "/?currency=EUR", most: 40 },
  { path: "/invoices", most: null },
  { path: "/invoices?collection_status=open&sort=overdue_desc", most: null },
  { path: "/customers", most: null },
  { path: `/customers/${customerKey}`, most: null },
  { path: "/installments?bucket=over_90", most: null },
  { path: "/payments", most: null },
];

/** The pages of a workspace with a million installments, as an admin's browser opens them. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  const folder = mkdtempSync(join(tmpdir(), "receivables-bench-"));
  const service = await openService({ DATABASE_URL: database.url, DATA_DIR: join(folder, "data") });
  try {
    return await measure(service);
  } finally {
    await service.close();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ core, url, times }: OpenService): Promise<boolean> {
  const book = await fillAgingBook(core.store, randomUUID(), INSTALLMENTS);
  await core.store.takeStatistics({
    tenantId: book.tenantId,
    tables: ["customers", "invoices", "installments"],
    rows: INSTALLMENTS,
  });
  await buildAging(core, book);
  await core.store.takeStatistics({
    tenantId: book.tenantId,
    tables: ["aging_debts", "aging_customers", "aging_totals"],
    rows: INSTALLMENTS,
  });
  const person = { email: "bench@bench.example", password: PASSWORD };
  await operate(core, book.tenantId, addMember, { ...person, role: "admin" });
  const browser = new Browser(url);
  await browser.submit(await browser.open("/signin"), "Sign in", person);
  const found = [];
  for (const { path, most } of pagesOf(book)) {
    for (let call = 0; call < WARM_UP; call += 1) await browser.open(path);
    times.length = 0;
    let bytes = 0;
    for (let call = 0; call < CALLS; call += 1) {
      const { status, html } = await browser.open(path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      bytes = Math.max(bytes, Buffer.byteLength(html));
    }
    found.push({ path, most, bytes, p50: median(times), p99: quantile(times, 0.99) });
  }
  return report("pages", {
    note: `${INSTALLMENTS} installments in one workspace, ${CALLS} visits each, ms inside the server, session and all`,
    columns: ["page", "p50", "p99", "bytes"],
    rows: found.map(({ path, p50, p99, bytes }) => [path, p50.toFixed(1), p99.toFixed(1), String(bytes)]),
    limits: found.flatMap(({ path, most, p50, bytes }) => [
      ...(most === null ? [] : [{ what: `p50 of ${path}`, value: p50, most }]),
      { what: `bytes of ${path}`, value: bytes, most: MOST_BYTES },
    ]),
  });
}
