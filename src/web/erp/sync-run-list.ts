import type { z } from "zod";
import { listSyncRuns } from "../../core/sync-runs/operations/list-sync-runs.ts";
import { SyncRun } from "../../core/sync-runs/schema.ts";
import { html } from "../kit/html.ts";
import { timeElement } from "../kit/words.ts";
import { countFigure, NOTHING, unbroken } from "../lists/figures.ts";
import type { ListPage } from "../lists/list-pages.ts";
import type { Column } from "../lists/table.ts";
import { erpNamesFor } from "./erp-names.ts";
import { durationOf, ERROR_WORDS, RUN_STATES, runChip, type ShownRun, TRIGGER_WORDS } from "./run-words.ts";

const counts = (head: string, of: (run: ShownRun) => number): Column<ShownRun> => ({
  head,
  kind: "number",
  cell: (run) => countFigure(of(run)),
});

const COLUMNS: readonly Column<ShownRun>[] = [
  {
    head: "Started",
    cell: (run, { workspace, address }) =>
      html`<a href="${address(`/sync-runs/${run.id}`)}">${timeElement(run.started_at, workspace.timezone)}</a>`,
  },
  {
    head: "Status",
    cell: ({ status, error }) => [
      runChip(status),
      error !== null && html`<div class="quiet">${ERROR_WORDS[error.code][0]}</div>`,
    ],
  },
  { head: "Trigger", cell: ({ trigger }) => unbroken(TRIGGER_WORDS[trigger]) },
  { head: "Took", cell: (run) => (durationOf(run) === null ? NOTHING : unbroken(durationOf(run) ?? "")) },
  counts("Read", (run) => run.invoices_read),
  counts("New", (run) => run.invoices_created),
  counts("Changed", (run) => run.invoices_updated),
  counts("Gone", (run) => run.invoices_retired),
  counts("Set aside", (run) => run.invoices_set_aside),
];

/** `/sync-runs`: the history of an ERP's syncs, the latest first. */
export const SYNC_RUN_LIST: ListPage<ShownRun, z.output<typeof listSyncRuns.output>> = {
  path: "/sync-runs",
  title: "Sync history",
  settings: { group: "ERP", words: "What each sync brought in, how long it took, and why one failed." },
  one: "sync",
  many: "syncs",
  intro: "What each sync of an ERP brought in, the latest first. Figures are as fresh as the last one that succeeded.",
  operation: listSyncRuns,
  row: SyncRun,
  filters: {
    first: ["status", "order"],
    labels: { connection_id: "ERP connection" },
    values: RUN_STATES,
  },
  columns: COLUMNS,
  async forVisit(visit) {
    const names = await erpNamesFor(visit);
    const erp: Column<ShownRun> = { head: "ERP", cell: (run) => names.get(run.connection_id) ?? NOTHING };
    const [started, ...rest] = COLUMNS;
    return {
      ...(names.size > 1 && started !== undefined && { columns: [started, erp, ...rest] }),
      chip: (name, run) => (name === "connection_id" ? (names.get(run.connection_id) ?? null) : null),
    };
  },
  chip: () => null,
  empty: ({ isAdmin }) => html`<p>No sync has run yet.</p>
<p>${isAdmin ? html`<a href="/erp-connections">Connect an ERP</a>, and start its first one there.` : "An admin of the workspace connects the ERP."}</p>`,
};
