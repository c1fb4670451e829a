import type { Core } from "../core/gate/core.ts";
import { businessDate } from "../core/shared/calendar.ts";
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
  /** Puts what the ERP held so many days before the demo's first day in place of what it holds. */
  turnTo(daysAgo: number): void;
  /** Lets it be from now on what became of it. */
  settle(): void;
}

/** The demo's ERPs, and what the demo remembers. */
export interface DemoErp {
  readonly memory: DemoMemory;
  readonly sites: readonly DemoErpSite[];
  close(): Promise<void>;
}

/** What an ERP answers once its fate has come. */
const ANSWERS: Readonly<Record<Fate, "ok" | "401" | "500">> = {
  works: "ok",
  refuses: "401",
  fails: "500",
  disconnected: "401",
};

/**
 * Starts the demo's ERPs as they are today: the same books at every start, on the ports of the last one where those are
 * free, behind passwords of their own. What is remembered is saved before anything is made. Null where the store has a
 * demo that nothing is known of.
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
  return {
    memory,
    sites,
    async close() {
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

/** Listens where it did the last time, else wherever there is room. Resolves to the port. */
async function listen(simulator: FusionSimulator, port: number): Promise<number> {
  const url = await simulator.listen(port).catch(() => simulator.listen(0));
  return Number(new URL(url).port);
}
