import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { getSyncRun, listSyncRuns } from "../../core/sync-runs/operations/list-sync-runs.ts";
import { SyncRun } from "../../core/sync-runs/schema.ts";
import { livePart } from "../kit/assets.ts";
import { members } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { big, buttonLink, fact, link, muted, pageHead } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { forHowLong, timeElement } from "../kit/words.ts";
import { chip, countFigure, NOTHING, type States, stateWords, unbroken } from "../lists/figures.ts";
import type { ListPage } from "../lists/list-pages.ts";
import type { Column } from "../lists/table.ts";

type ShownRun = z.output<typeof SyncRun>;

/** Who started a run, as people read it. */
const TRIGGER_WORDS: Readonly<Record<ShownRun["trigger"], string>> = {
  manual: "By hand",
  scheduled: "By schedule",
};

const STATUS: States<ShownRun["status"]> = {
  running: ["Under way", "plain"],
  succeeded: ["Succeeded", "good"],
  failed: ["Failed", "failed"],
};

/** The words of a run's states in filters. */
const RUN_STATES = stateWords(STATUS);

/** `/sync-runs/{id}`: one sync, as it goes on. */
export const SYNC_RUN_PAGE: PageRoutes = { routes: [members.get("/sync-runs/:runId", show)] };

async function show(visit: WorkspaceVisit): Promise<void> {
  const run = await visit.call(getSyncRun, { sync_run_id: visit.id("runId", "sync run") });
  visit.show({ title: "Sync run", body: runView(visit, run) });
}

function runView(visit: WorkspaceVisit, run: ShownRun): Html {
  const { workspace, response, site, isAdmin } = visit;
  const isLive = run.status === "running";
  const figure = (name: string, value: number): Html => fact(name, big(countFigure(value)));
  const setAside = [big(countFigure(run.invoices_set_aside)), " ", visit.link("/attention", "Could not be read")];
  const onward = html`<div class="actions">${buttonLink(visit.address("/"), "See the overview", "")}</div>`;
  const head = ["Sync of ", timeElement(run.started_at, workspace.timezone), " ", runChip(run.status)];
  const followed = html`${pageHead(head, null)}
${isLive && visit.note({ started: "The sync has started." })}
<p>${summaryOf(run, site.core.clock.now())}</p>
${run.error !== null && errorView(run.error, visit)}
<dl class="key">
${figure("Invoices read", run.invoices_read)}
${figure("New", run.invoices_created)}
${figure("Changed", run.invoices_updated)}
${figure("No longer in the ERP", run.invoices_retired)}
${run.invoices_set_aside > 0 && fact("Set aside", setAside)}
${fact("Started", TRIGGER_WORDS[run.trigger])}
${fact("Took", durationOf(run) ?? NOTHING)}
${fact("ERP", html`<span class="long">${run.connection_name}</span>`)}
</dl>
${run.status === "succeeded" && onward}`;
  const all = visit.link("/sync-runs", "All syncs of this ERP", { connection_id: run.connection_id });
  return html`${visit.crumbs()}
${livePart(response, { id: "run", isLive, again: visit.address(`/sync-runs/${run.id}`) }, followed)}
<p>${all}${isAdmin && [" · ", link("/erp-connections", "ERP connections")]}</p>`;
}

function errorView({ code, message }: NonNullable<ShownRun["error"]>, visit: WorkspaceVisit): Html {
  const [means, next] = ERROR_WORDS[code];
  const reconnect = code === "authentication_failed" && visit.isAdmin && link("/erp-connections", "Reconnect it");
  return html`<div class="alert"><p><strong>${means}</strong> ${next} ${reconnect}</p>
${message !== "" && muted(`In detail: ${message}`)}</div>`;
}

/** What a run did, or is doing, in a sentence. */
function summaryOf(run: ShownRun, now: Date): string {
  const read = counted(run.invoices_read, "invoice");
  if (run.status === "running") return `Under way for ${forHowLong(run.started_at, now)}: ${read} read so far.`;
  const taken = durationOf(run)?.toLowerCase() ?? "";
  if (run.status === "failed") return `It ended after ${taken}, with ${read} read.`;
  const news = run.invoices_created + run.invoices_updated + run.invoices_retired;
  const change = news === 0 ? "; nothing had changed." : `, ${counted(news, "of them", "of them")} new or changed.`;
  return `${read} read in ${taken}${change}`;
}

const counts = (head: string, of: (run: ShownRun) => number): Column<ShownRun> => ({
  head,
  kind: "number",
  cell: (run) => countFigure(of(run)),
});

const COLUMNS: readonly Column<ShownRun>[] = [
  {
    head: "Started",
    cell: (run, { workspace, address }) => [
      html`<a href="${address(`/sync-runs/${run.id}`)}">${timeElement(run.started_at, workspace.timezone)}</a>`,
      html`<div class="quiet">${run.connection_name}</div>`,
    ],
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
  chip: (name, run) => (name === "connection_id" ? run.connection_name : null),
  empty: ({ isAdmin }) => [
    "No sync has run yet.",
    isAdmin
      ? [link("/erp-connections", "Connect an ERP"), ", and start its first one there."]
      : "An admin of the workspace connects the ERP.",
  ],
};

function runChip(status: ShownRun["status"]): Html {
  return chip(...STATUS[status]);
}

type ErrorCode = NonNullable<ShownRun["error"]>["code"];

/** What a failed run means, and what to do about it. */
const ERROR_WORDS: Readonly<Record<ErrorCode, readonly [means: string, next: string]>> = {
  authentication_failed: [
    "The ERP refused the user name or password.",
    "Every sync fails until an admin reconnects it with a password that works.",
  ],
  erp_unreachable: [
    "The ERP did not answer, or was too busy.",
    "This usually clears itself: the next sync tries again.",
  ],
  erp_rejected: [
    "The ERP's answer could not be used.",
    "The reason is below. The ERP's administrator can tell what the service's user lacks.",
  ],
  interrupted: ["The sync was cut off.", "Nothing is lost: the next one reads everything that changed."],
  internal_error: [
    "Something went wrong in this service.",
    "The next sync tries again; its operators see why in the log.",
  ],
};

/** "2 minutes 5 seconds"; null while it is under way. */
function durationOf({
  started_at: start,
  finished_at: end,
}: Pick<ShownRun, "started_at" | "finished_at">): string | null {
  if (end === null) return null;
  const seconds = Math.round((Date.parse(end) - Date.parse(start)) / 1000);
  if (seconds < 1) return "Less than a second";
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor((seconds % 3600) / 60), "minute"],
    [seconds % 60, "second"],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .slice(0, 2)
    .map(([number, unit]) => counted(number, unit))
    .join(" ");
}
