import type { Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { listErp, listErpStates, readErpRemains } from "../../core/erp-connections/operator-connection.ts";
import { notFound } from "../../core/kernel/error.ts";
import { confirmRetirement } from "../../core/sync-runs/operations/confirm-retirement.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { AdminPage } from "../kit/admin-page.ts";
import { idIn, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { withQuery } from "../kit/workspace-pages.ts";
import { CONNECT_ERP, ERP_SETTINGS, RECONNECT_ERP } from "./erp-form.ts";
import { disconnectErpView, erpSection, retireView } from "./erp-view.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  connected: "Connected: the ERP accepted the user name and password. The first sync starts now.",
  by_hand: "Connected: the ERP accepted the user name and password. Start the first sync with “Sync now”.",
  reconnected: "Reconnected: the ERP accepted the user name and password.",
  kept: "Saved. The ERP was not asked: the next sync will verify address, user and password.",
  saved: "The settings were saved. What is imported follows at the next sync; how receipts are pushed, from now on.",
  on: "Sync is switched on.",
  off: "Sync is switched off. If a sync was under way, it was ended.",
  retire: "Confirmed. The next complete sync retires what is still missing.",
  disconnected: "The ERP was disconnected, and its password forgotten.",
};

/** `/erp-connections`: what an admin does about an ERP in the application (service.md §1). */
export function erpPages(site: Site): Router {
  const page = new AdminPage(site, {
    path: "/erp-connections",
    title: "ERP connections",
    adminsOnly: "Only an admin of a workspace manages its ERP connections",
    intro:
      "Where a workspace's invoices come from, and its receipts go. Figures are only as fresh as the last sync that succeeded.",
    notices: NOTICES,
    section: async (workspace, visit) =>
      erpSection({
        visit,
        workspace,
        states: await visit.act(workspace, listErpStates, {}),
      }),
  });

  page.page("/:connectionId/disconnect", "Disconnect", async (visit, workspace) => {
    const { connectionId } = visit.request.params;
    const connections = await visit.act(workspace, listErp, {});
    const found = connections.find(({ id, status }) => id === connectionId && status !== "disconnected");
    if (found === undefined) throw notFound("ERP connection");
    const remains = await visit.act(workspace, readErpRemains, { connectionId: found.id });
    return disconnectErpView(workspace, { connection: found, remains }, visit);
  });

  page.page("/:connectionId/retire", "Missing invoices", async (visit, workspace) => {
    const states = await visit.act(workspace, listErpStates, {});
    const found = states.find(({ connection: { id } }) => id === visit.request.params.connectionId)?.held ?? null;
    if (found === null) throw notFound("sync run that waits for a confirmation");
    return retireView(workspace, found, visit);
  });

  page.form("", async (visit, workspace) => {
    const { auto_sync_enabled: isAutomatic } = await CONNECT_ERP.send({ visit, workspace }, {}, { once: true });
    return isUnchecked(visit) ? "kept" : isAutomatic ? "connected" : "by_hand";
  });

  for (const [verb, work] of Object.entries(CONNECTION_FORMS))
    page.form(`/:connectionId/${verb}`, (visit, workspace) =>
      work(visit, workspace, visit.id("connectionId", "ERP connection")),
    );
  return page.router;
}

const isUnchecked = (visit: Visit): boolean => visit.field("unchecked") === "on";

/** What a form about one connection does: the notice, or the address, that it leads to. */
type ConnectionWork = (visit: Visit, workspace: Membership, connectionId: string) => Promise<string>;

const switchSync =
  (to: "on" | "off"): ConnectionWork =>
  async (visit, workspace, connectionId) => {
    await visit.act(workspace, setErp, { connectionId, sync: to === "on" });
    return to;
  };

/** By the last part of the form's address. */
const CONNECTION_FORMS: Readonly<Record<string, ConnectionWork>> = {
  async reconnect(visit, workspace, connectionId) {
    await RECONNECT_ERP.send({ visit, workspace }, { connectionId, confirmed: visit.field("confirmed") });
    return isUnchecked(visit) ? "kept" : "reconnected";
  },
  async settings(visit, workspace, connectionId) {
    await ERP_SETTINGS.send({ visit, workspace }, { connectionId });
    return "saved";
  },
  on: switchSync("on"),
  off: switchSync("off"),
  async sync(visit, workspace, connectionId) {
    const { sync_run_id: id } = await visit.act(workspace, startErpSync, { connection_id: connectionId });
    return withQuery(`/sync-runs/${id}`, { workspace: workspace.tenantId, done: "started" });
  },
  async retire(visit, workspace, connectionId) {
    const runId = idIn(visit.field("run"), "sync run");
    await visit.act(workspace, confirmRetirement, { connection_id: connectionId, sync_run_id: runId });
    return "retire";
  },
  async disconnect(visit, workspace, connectionId) {
    await visit.act(workspace, disconnectErp, { connectionId });
    return "disconnected";
  },
};
