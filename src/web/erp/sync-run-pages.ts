import { counted } from "../../core/kernel/counted.ts";
import { getSyncRun } from "../../core/sync-runs/operations/get-sync-run.ts";
import { members } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { livePart } from "../kit/live.ts";
import { fact } from "../kit/parts.ts";
import type { PageRoutes } from "../kit/routes.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { forHowLong, timeElement } from "../kit/words.ts";
import { countFigure, NOTHING } from "../lists/figures.ts";
import { erpNamesFor } from "./erp-names.ts";
import { durationOf, ERROR_WORDS, runChip, type ShownRun, TRIGGER_WORDS } from "./run-words.ts";

/** `/sync-runs/{id}`: one sync, as it goes on. */
export const SYNC_RUN_PAGE: PageRoutes = { routes: [members.get("/sync-runs/:runId", show)] };

async function show(visit: WorkspaceVisit): Promise<void> {
  const run = await visit.call(getSyncRun, { sync_run_id: visit.id("runId", "sync run") });
  const erp = (await erpNamesFor(visit)).get(run.connection_id) ?? null;
  visit.show({ title: "Sync run", body: runView(visit, run, erp) });
}

/** A run of the ERP of that name. */
function runView(visit: WorkspaceVisit, run: ShownRun, erp: string | null): Html {
  const { address, workspace, response, site } = visit;
  const isLive = run.status === "running";
  const here = address(`/sync-runs/${run.id}`);
  const now = site.core.clock.now();
  const all = address("/sync-runs", { connection_id: run.connection_id });
  return html`<p class="crumbs"><a href="${address("/sync-runs")}">Sync history</a></p>
${livePart(
  response,
  { id: "run", isLive, again: here },
  html`<div class="title"><h1>Sync of ${timeElement(run.started_at, workspace.timezone)} ${runChip(run.status)}</h1></div>
${isLive && visit.note({ started: "The sync has started." })}
<p>${summaryOf(run, now)}</p>
${run.error !== null && errorView(run.error, visit)}
<dl class="key">
${fact("Invoices read", figure(run.invoices_read))}
${fact("New", figure(run.invoices_created))}
${fact("Changed", figure(run.invoices_updated))}
${fact("No longer in the ERP", figure(run.invoices_retired))}
${run.invoices_set_aside > 0 && fact("Set aside", html`${figure(run.invoices_set_aside)} <a href="${address("/attention")}">Could not be read</a>`)}
${fact("Started", TRIGGER_WORDS[run.trigger])}
${fact("Took", durationOf(run) ?? NOTHING)}
${fact("ERP", erp === null ? NOTHING : html`<span class="long">${erp}</span>`)}
</dl>
${run.status === "succeeded" && html`<div class="actions"><a class="button" href="${address("/")}">See the overview</a></div>`}`,
)}
<p><a href="${all}">All syncs of this ERP</a>${visit.isAdmin && html` · <a href="/erp-connections">ERP connections</a>`}</p>`;
}

function errorView({ code, message }: NonNullable<ShownRun["error"]>, visit: WorkspaceVisit): Html {
  const [means, next] = ERROR_WORDS[code];
  const isRefused = code === "authentication_failed" && visit.isAdmin;
  return html`<div class="alert"><p><strong>${means}</strong> ${next} ${isRefused && html`<a href="/erp-connections">Reconnect it</a>`}</p>
${message !== "" && html`<p class="quiet">In detail: ${message}</p>`}</div>`;
}

function figure(value: number): Html {
  return html`<span class="big">${countFigure(value)}</span>`;
}

/** What a run did, or is doing, in a sentence. */
function summaryOf(run: ShownRun, now: Date): string {
  const read = counted(run.invoices_read, "invoice");
  if (run.status === "running") return `Under way for ${forHowLong(run.started_at, now)}: ${read} read so far.`;
  const taken = durationOf(run)?.toLowerCase() ?? "";
  if (run.status === "failed") return `It ended after ${taken}, with ${read} read.`;
  const news = run.invoices_created + run.invoices_updated + run.invoices_retired;
  return `${read} read in ${taken}${news === 0 ? "; nothing had changed." : `, ${counted(news, "of them", "of them")} new or changed.`}`;
}
