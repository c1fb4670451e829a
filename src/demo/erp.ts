import type { Core } from "../core/gate/dependencies.ts";
import { businessDate } from "../core/kernel/calendar.ts";
import { createFusionSimulator, type FusionSimulator } from "../simulators/fusion/index.ts";
import { type DemoSite, type Fate, SITES, WORKSPACES } from "./cast.ts";
import { type Ledger, type SiteBook, siteBook } from "./ledger.ts";
import { type DemoMemory, randomSecret, recallDemo } from "./state.ts";

/** A simulated ERP that answers on a loopback port of this process. */
export interface DemoErpSite {
  readonly site: DemoSite;
  readonly book: SiteBook;
  readonly simulator: FusionSimulator;
  readonly password: string;
  /** Replaces the ERP's data with those of that many days before the demo's first day. */
  turnTo(daysAgo: number): void;
  /** Switches it to its final state. */
  settle(): void;
}

/** The demo's ERPs and its state. */
export interface DemoErp {
  readonly memory: DemoMemory;
  readonly sites: readonly DemoErpSite[];
  close(): Promise<void>;
}

/** How an ERP answers in its final state. */
const ANSWERS: Readonly<Record<Fate, "ok" | "401" | "500">> = {
  works: "ok",
  refuses: "401",
  fails: "500",
  disconnected: "401",
};

/** How often they run the job that applies receipts by what they say they pay. */
const AUTOMATCH_EVERY_MS = 60_000;

/**
 * Starts the demo's ERPs: with the same data at every start, on the ports of the last one where those are free. Saves the
 * state before anything is made. Null where the store has a demo whose state is not in DATA_DIR.
 */
export async function startDemoErp({ core, dataDir }: { core: Core; dataDir: string }): Promise<DemoErp | null> {
  const memory = await recallDemo(core, dataDir);
  if (memory === null) return null;
  const { state } = memory;
  const sites: DemoErpSite[] = [];
  for (const site of SITES) {
    const known = state.erp[site.key] ?? { password: randomSecret(), port: 0 };
    const simulator = createFusionSimulator({ credentials: { username: site.username, password: known.password } });
    const port = await listen(simulator, known.port);
    state.erp[site.key] = { password: known.password, port };
    sites.push(demoSite(site, simulator, known.password, state.began_at));
  }
  memory.save();
  for (const site of sites) site.settle();
  const matching = setInterval(
    () => sites.forEach(({ simulator }) => void simulator.runAutoMatch()),
    AUTOMATCH_EVERY_MS,
  );
  return {
    memory,
    sites,
    async close() {
      clearInterval(matching);
      await Promise.all(sites.map(({ simulator }) => simulator.close()));
    },
  };
}

function demoSite(site: DemoSite, simulator: FusionSimulator, password: string, beganAt: string): DemoErpSite {
  const workspace = WORKSPACES.find(({ key }) => key === site.workspace);
  const today = businessDate(new Date(beganAt), workspace?.timezone ?? "UTC");
  const book = siteBook(site, today, workspace?.currencies ?? []);
  let held: Ledger = { invoices: [], accounts: [] };
  let turnedTo: number | null = null;
  const turnTo = (daysAgo: number): void => {
    if (turnedTo === daysAgo) return;
    turnedTo = daysAgo;
    simulator.removeInvoices(...held.invoices.map((item) => String(item.CustomerTransactionId)));
    held = book.ledgerAt(daysAgo);
    simulator.putInvoices(...held.invoices);
    simulator.putAccounts(...held.accounts);
  };
  const settle = (): void => {
    simulator.control({ mode: ANSWERS[site.fate] });
    turnTo(0);
  };
  return { site, book, simulator, password, turnTo, settle };
}

/** Listens on the port of the last start, else on any free one. Resolves to the port. */
async function listen(simulator: FusionSimulator, port: number): Promise<number> {
  const url = await simulator.listen(port).catch(() => simulator.listen(0));
  return Number(new URL(url).port);
}
