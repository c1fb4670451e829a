import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator, type FusionItem, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { seededRandom } from "../../src/simulators/fusion/random.ts";
import { testCore } from "../support/core.ts";
import { openAt } from "../support/location.ts";
import type { PullProcessLine, PullProcessPlan } from "../support/pull-process.ts";
import { bookOf, connectWorkspace, makeTenant, runPull } from "../support/pulls.ts";
import { SHORT_LIVED } from "../support/server.ts";
import { STORES } from "../support/stores.ts";
import { times } from "../support/thorough.ts";

const SCRIPT = join(import.meta.dirname, "../support/pull-process.ts");
const PAGE_SIZE = 12;
const INVOICES = 150;
const FIRST = 300100180000000000n;
const idOf = (index: number): string => String(FIRST + BigInt(index) * 100n);

/** The ERP's book, which is another one before every pull. */
class MovingBook {
  readonly balances = new Map<number, bigint>();
  readonly removed = new Set<number>();
  #next = 0;
  readonly #erp: FusionSimulator;
  readonly #draws = seededRandom(20_261_126);

  constructor(erp: FusionSimulator) {
    this.#erp = erp;
    while (this.#next < INVOICES) this.#put(this.#next++);
  }

  /** Two thirds change, a few come and go. */
  move(round: number): void {
    for (const index of this.balances.keys()) if ((index + round) % 3 !== 0) this.#put(index);
    for (let count = 0; count < 3; count += 1) this.#put(this.#next++);
    const leaving = [...this.balances.keys()].filter((index) => (index * 7 + round) % 61 === 0).slice(0, 2);
    for (const index of leaving) {
      this.balances.delete(index);
      this.removed.add(index);
      this.#erp.removeInvoices(idOf(index));
    }
  }

  balanceOf(index: number): string {
    return String((this.balances.get(index) ?? 0n) / 100n);
  }

  #put(index: number): void {
    const balanceMinor = BigInt(this.#draws.between(1, 900)) * 100n;
    this.balances.set(index, balanceMinor);
    this.#erp.putInvoices(item(index, balanceMinor));
  }
}

function item(index: number, balanceMinor: bigint): FusionItem {
  const customer = {
    partyId: 300100500000000000n + BigInt(index % 20),
    number: String(index % 20),
    name: `C${index % 20}`,
  };
  const part = { dueDate: "2026-03-31", amountMinor: 100_000n, balanceMinor: balanceMinor / 2n };
  const rest = { ...part, dueDate: "2026-04-30", balanceMinor: balanceMinor - balanceMinor / 2n };
  const head = { id: BigInt(idOf(index)), number: `INV-${index}`, customer, currency: "USD", date: "2026-02-01" };
  return toItem({ ...head, terms: null, installments: [part, rest] }, "Vision Operations");
}

/** One pulling process and what it told. */
class Puller {
  readonly lines: PullProcessLine[] = [];
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
  errors = "";

  constructor(plan: PullProcessPlan) {
    this.process = spawn(process.execPath, [...SHORT_LIVED, SCRIPT, JSON.stringify(plan)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.exited = new Promise((resolve) => this.process.once("exit", () => resolve()));
    this.process.stderr?.on("data", (chunk) => {
      this.errors += String(chunk);
    });
    if (this.process.stdout !== null) {
      createInterface(this.process.stdout).on("line", (line) => this.lines.push(JSON.parse(line)));
    }
  }

  line<What extends PullProcessLine["what"]>(what: What): Extract<PullProcessLine, { what: What }> | undefined {
    return this.lines.find((line): line is Extract<PullProcessLine, { what: What }> => line.what === what);
  }

  async until(what: PullProcessLine["what"]): Promise<void> {
    while (this.line(what) === undefined) {
      if (this.process.exitCode !== null) throw new Error(`the process ended before "${what}": ${this.errors}`);
      await sleep(2);
    }
  }

  get committedThrough(): string | undefined {
    const pages = this.lines.filter((line) => line.what === "committed");
    return pages.at(-1)?.through;
  }
}

// PostgreSQL's server outlives the process that is killed; the embedded store dies with it.
describe.each(STORES.slice(0, times(1, 2)))("a service killed in mid-pull on $name", ({ name, open }) => {
  const rounds = times(2, name === "PostgreSQL" ? 6 : 20);
  const leftover: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of leftover.splice(0).reverse()) await clean();
  });

  it(`loses nothing it committed, doubles nothing, says interrupted, and catches up, ${rounds} times [contract.crash]`, async () => {
    const erp = createFusionSimulator();
    const url = await erp.listen();
    leftover.push(() => erp.close());
    const book = new MovingBook(erp);
    for (let index = 0; index < 20; index += 1) {
      const PartyId = 300100500000000000n + BigInt(index);
      erp.putAccounts({ PartyId, PrimaryContactName: "Jo", PrimaryContactEmail: `ap${index}@customers.example` });
    }
    const opened = await open();
    leftover.push(() => opened.remove());
    const core = testCore(opened.store);
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, url);
    await operate(core, tenantId, setErp, { connectionId, autoSync: false });
    await opened.store.close();
    const plan: PullProcessPlan = { location: opened.location, tenantId, connectionId, pageSize: PAGE_SIZE };

    erp.control({ mode: "ok", latency_ms: 20 });
    const moments = seededRandom(20_261_127);
    let duration = 400;
    let inMidPull = 0;
    let killed: { syncRunId: string; through: string; balances: Map<string, string> } | undefined;
    for (let round = 0; round <= rounds; round += 1) {
      const puller = new Puller(plan);
      leftover.push(() => puller.process.kill("SIGKILL"));
      await puller.until("started");
      const startedAt = performance.now();
      checkFound(puller, killed);
      if (round === rounds) {
        await puller.until("ended");
        expect(puller.line("ended")).toEqual({ what: "ended", status: "succeeded" });
        await puller.exited;
        break;
      }
      // Spread over the whole pull, at random within each stretch of it.
      await sleep(((round + moments.between(0, 99) / 100) / rounds) * duration);
      puller.process.kill("SIGKILL");
      await puller.exited;
      const ended = puller.line("ended") !== undefined;
      if (ended) duration = Math.min(duration, performance.now() - startedAt) * 0.9;
      else inMidPull += 1;
      killed = ended
        ? undefined
        : {
            syncRunId: puller.line("started")?.syncRunId ?? "",
            through: puller.committedThrough ?? "0",
            balances: new Map([...book.balances.keys()].map((index) => [idOf(index), book.balanceOf(index)])),
          };
      book.move(round);
    }
    expect(inMidPull).toBeGreaterThanOrEqual(times(1, rounds * 0.75));

    const reopened = await openAt(opened.location, { poolSize: 2 });
    leftover.push(() => reopened.close());
    const disturbed = await figures(testCore(reopened), tenantId);
    const calm = await open();
    leftover.push(() => calm.remove());
    const calmCore = testCore(calm.store);
    const calmTenant = await makeTenant(calmCore);
    erp.control({ mode: "ok" });
    await runPull(calmCore, calmTenant, await connectWorkspace(calmCore, calmTenant, url));
    expect(disturbed).toEqual(await figures(calmCore, calmTenant));
    expect(disturbed).toHaveLength(book.balances.size);
  }, 300_000);
});

/** What a process finds after the one before was killed. */
function checkFound(
  puller: Puller,
  killed: { syncRunId: string; through: string; balances: Map<string, string> } | undefined,
): void {
  const found = puller.line("found");
  const invoices = found?.invoices ?? [];
  expect(new Set(invoices.map((row) => row.erp_invoice_id)).size).toBe(invoices.length);
  expect(found?.runs.every((run) => run.status === "succeeded" || run.error_code === "interrupted")).toBe(true);
  if (killed === undefined) return;
  const run = found?.runs.find((one) => one.sync_run_id === killed.syncRunId);
  // It may have died between its last commit and telling of it.
  expect(run).toBeDefined();
  if (run?.status !== "succeeded") expect(run).toMatchObject({ status: "failed", error_code: "interrupted" });
  const stored = new Map(invoices.map((row) => [row.erp_invoice_id, row.balance]));
  for (const [id, balance] of killed.balances) {
    if (BigInt(id) <= BigInt(killed.through)) expect(stored.get(id), `invoice ${id}`).toBe(balance);
  }
}

/** Every live row and its figures, without what differs from one store to another by nature. */
async function figures(core: Parameters<typeof bookOf>[0], tenantId: string): Promise<unknown[]> {
  const rows = [...(await bookOf(core, tenantId)).values()].filter((row) => row.retired_at === null);
  const shown = rows.map((row) => ({
    id: row.erp_invoice_id,
    number: row.invoice_number,
    customer: row.customer_name,
    email: row.customer_email,
    balance: row.erp_invoice_open_balance,
    status: row.collection_status,
    outstanding: row.collection_outstanding,
    due: row.collection_due_date,
    missing: row.missing_since,
    installments: row.installments.map((part) => [
      part.erp_installment_id,
      part.due_date,
      part.erp_outstanding,
      part.collection_outstanding,
      part.not_collectible_reason,
      part.removed_at,
    ]),
  }));
  return shown.sort((a, b) => Number(BigInt(a.id ?? 0) - BigInt(b.id ?? 0)));
}
