import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import { getSyncRun, listSyncRuns } from "../../core/sync-runs/operations/list-sync-runs.ts";
import type { SyncRun } from "../../core/sync-runs/schema.ts";
import {
  actions,
  big,
  buttonLink,
  forHowLong,
  type Html,
  html,
  keyFacts,
  link,
  livePart,
  muted,
  pageHead,
} from "../kit/markup.ts";
import { members, type PageRoutes, type WorkspaceVisit } from "../kit/page.ts";
import {
  type Column,
  chipOf,
  countColumn,
  countFigure,
  pagesOfList,
  type States,
  stateWords,
  unbroken,
} from "../lists/list.ts";

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

const runChip = chipOf(STATUS);

/** `/sync-runs/{id}`: one sync, as it goes on. */
export const SYNC_RUN_PAGE: PageRoutes = { routes: [members.get("/sync-runs/:runId", show)] };

async function show(visit: WorkspaceVisit): Promise<void> {
  const run = await visit.call(getSyncRun, { sync_run_id: visit.id("runId", "sync run") });
  visit.show({ title: "Sync", body: runView(visit, run) });
}

function runView(visit: WorkspaceVisit, run: ShownRun): Html {
  const { response, site, isAdmin } = visit;
  const isLive = run.status === "running";
  const setAside = [big(countFigure(run.invoices_set_aside)), " ", visit.link("/attention", "Could not be read")];
  const changed = { connection_id: run.connection_id, updated_since: run.started_at };
  const since = visit.link("/invoices", "Invoices changed since this sync began", changed);
  const head = ["Sync of ", visit.time(run.started_at), " ", runChip(run.status)];
  const followed = html`${pageHead(head)}
${isLive && visit.note({ started: "The sync has started." })}
<p>${summaryOf(run, site.core.clock.now())}</p>
${run.error !== null && errorView(run.error, visit)}
${keyFacts([
  ["Invoices read", big(countFigure(run.invoices_read))],
  ["New", big(countFigure(run.invoices_created))],
  ["Changed", big(countFigure(run.invoices_updated))],
  ["Gone from the ERP", big(countFigure(run.invoices_retired))],
  run.invoices_set_aside > 0 && ["Set aside", setAside],
  ["Trigger", TRIGGER_WORDS[run.trigger]],
  ["Took", durationOf(run)],
  ["ERP", html`<span class="long">${run.connection_name}</span>`],
])}
${newsOf(run) > 0 && muted(["Which invoices these were is not kept. ", since, ", by later syncs too."])}
${run.status === "succeeded" && actions(buttonLink(visit.address("/"), "See the overview", ""))}`;
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

/** How many invoices a run brought in, changed or retired. */
const newsOf = ({ invoices_created: created, invoices_updated: updated, invoices_retired: retired }: ShownRun) =>
  created + updated + retired;

/** What a run did, or is doing, in a sentence. */
function summaryOf(run: ShownRun, now: Date): string {
  const read = counted(run.invoices_read, "invoice");
  if (run.status === "running") return `Under way for ${forHowLong(run.started_at, now)}: ${read} read so far.`;
  const taken = durationOf(run)?.toLowerCase() ?? "";
  if (run.status === "failed") return `It ended after ${taken}, with ${read} read.`;
  const gone = run.invoices_retired;
  if (newsOf(run) === 0) return `${read} read in ${taken}; nothing had changed.`;
  const left = gone === 0 ? "" : ` ${counted(gone, "invoice is", "invoices are")} gone from the ERP.`;
  return `${read} read in ${taken}, ${counted(newsOf(run) - gone, "of them", "of them")} new or changed.${left}`;
}

const COLUMNS: readonly Column<ShownRun>[] = [
  {
    head: "Started",
    cell: (run, visit) => [
      visit.link(`/sync-runs/${run.id}`, visit.time(run.started_at)),
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
  { head: "Took", cell: (run) => durationOf(run) && unbroken(durationOf(run) ?? "") },
  countColumn("Read", "invoices_read", countFigure),
  countColumn("New", "invoices_created", countFigure),
  countColumn("Changed", "invoices_updated", countFigure),
  countColumn("Gone", "invoices_retired", countFigure),
  countColumn("Set aside", "invoices_set_aside", countFigure),
];

/** `/sync-runs`: the history of an ERP's syncs, the latest first. */
export const SYNC_RUN_LIST = pagesOfList({
  path: "/sync-runs",
  title: "Sync history",
  settings: { group: "ERP", words: "What each sync brought in, how long it took, and why one failed." },
  one: "sync",
  intro: "What each sync of an ERP brought in, the latest first. Figures are as fresh as the last one that succeeded.",
  operation: listSyncRuns,
  filters: {
    first: ["status", "order"],
    values: stateWords(STATUS),
  },
  columns: COLUMNS,
  empty: ({ isAdmin }) => [
    "No sync has run yet.",
    isAdmin
      ? [link("/erp-connections", "Connect an ERP"), ", and start its first sync there."]
      : "An admin of the workspace connects the ERP.",
  ],
});

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
    "The next sync tries again. If that fails too, ask the operator of this service.",
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
