import type { Router } from "express";
import { counted } from "../../core/kernel/counted.ts";
import { getSyncRun } from "../../core/sync-runs/operations/get-sync-run.ts";
import { type Html, html } from "../kit/html.ts";
import { livePart } from "../kit/live.ts";
import { fact } from "../kit/parts.ts";
import { SETTINGS_NAME } from "../kit/settings-pages.ts";
import type { Site } from "../kit/site.ts";
import { forHowLong, timeElement } from "../kit/words.ts";
import { parameter, WorkspaceRoutes, type WorkspaceVisit } from "../kit/workspace-pages.ts";
import { countFigure, NOTHING } from "../lists/figures.ts";
import { addList } from "../lists/list-pages.ts";
import { erpNamesFor } from "./erp-names.ts";
import { durationOf, ERROR_WORDS, runChip, type ShownRun, TRIGGER_WORDS } from "./run-words.ts";
import { SYNC_RUN_LIST } from "./sync-run-list.ts";

/** `/sync-runs`: what each sync brought in; `/sync-runs/{id}`: one of them, as it goes on. */
export function syncRunPages(site: Site): Router {
  const routes = new WorkspaceRoutes(site);
  addList(routes, SYNC_RUN_LIST);

  routes.get("/sync-runs/:runId", async (visit) => {
    const { request } = visit.visit;
    const run = await visit.read(getSyncRun, { sync_run_id: visit.visit.id("runId", "sync run") });
    const erp = (await erpNamesFor(visit)).get(run.connection_id) ?? null;
    const isNew = parameter(request, "done") === "started";
    visit.show({ title: "Sync run", within: SETTINGS_NAME, body: runView({ visit, run, erp, isNew }) });
  });
  return routes.router;
}

interface RunView {
  visit: WorkspaceVisit;
  run: ShownRun;
  /** The name of its ERP. */
  erp: string | null;
  /** The visitor has just started it. */
  isNew: boolean;
}

function runView({ visit, run, erp, isNew }: RunView): Html {
  const { address, workspace } = visit;
  const { response, site } = visit.visit;
  const isLive = run.status === "running";
  const here = address(`/sync-runs/${run.id}`);
  const now = site.core.clock.now();
  const all = address("/sync-runs", { connection_id: run.connection_id });
  return html`<p class="crumbs"><a href="${address("/sync-runs")}">Sync history</a></p>
${livePart(
  response,
  { id: "run", isLive, again: here },
  html`<div class="title"><h1>Sync of ${timeElement(run.started_at, workspace.timezone)} ${runChip(run.status)}</h1></div>
${isNew && isLive && html`<p class="status" role="status">The sync has started.</p>`}
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
