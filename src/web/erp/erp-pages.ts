import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { getErpConnection } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { listErpStates, readErpRemains } from "../../core/erp-connections/operator-connection.ts";
import { notFound } from "../../core/kernel/error.ts";
import { confirmRetirement } from "../../core/sync-runs/operations/confirm-retirement.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { doing, type FormAct, idIn, type WorkspaceVisit, withQuery } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { CONNECT_ERP, ERP_SETTINGS, RECONNECT_ERP } from "./erp-form.ts";
import { disconnectErpView, erpSection, retireView } from "./erp-view.ts";

const connectionIn = (visit: WorkspaceVisit): string => visit.id("connectionId", "ERP connection");

const switchSync = (sync: boolean): FormAct<WorkspaceVisit> =>
  doing(sync ? "on" : "off", (visit) => visit.call(setErp, { connectionId: connectionIn(visit), sync }));

/** `/erp-connections`: what an admin does about an ERP in the application (service.md §1). */
export const ERP_CONNECTIONS = sectionsPage({
  path: "/erp-connections",
  title: "ERP connections",
  settings: { group: "ERP", words: "Where invoices come from, and how fresh they are." },
  adminsOnly: "Only an admin of a workspace manages its ERP connections",
  intro:
    "Where a workspace's invoices come from, and its receipts go. Figures are only as fresh as the last sync that \
succeeded.",
  done: {
    connected: "Connected: the ERP accepted the user name and password. The first sync starts now.",
    by_hand: "Connected: the ERP accepted the user name and password. Start the first sync with “Sync now”.",
    reconnected: "Reconnected: the ERP accepted the user name and password.",
    kept: "Saved. The ERP was not asked: the next sync will verify address, user and password.",
    saved: "The settings were saved. What is imported follows at the next sync; how receipts are pushed, from now on.",
    on: "Sync is switched on.",
    off: "Sync is switched off. If a sync was under way, it was ended.",
    retire: "Confirmed. The next complete sync retires what is still missing.",
    disconnected: "The ERP was disconnected, and its password forgotten.",
  },
  section: async (visit) => erpSection(visit, await visit.call(listErpStates, {})),
  acts: {
    "": {
      async send(visit) {
        const { auto_sync_enabled: isAutomatic, checked: isChecked } = await CONNECT_ERP.send(
          visit,
          {},
          { once: true },
        );
        if (!isChecked) return "kept";
        return isAutomatic ? "connected" : "by_hand";
      },
    },
    "/:connectionId/reconnect": {
      async send(visit) {
        const more = { connectionId: connectionIn(visit), confirmed: visit.field("confirmed") };
        const { checked: isChecked } = await RECONNECT_ERP.send(visit, more);
        return isChecked ? "reconnected" : "kept";
      },
    },
    "/:connectionId/settings": doing("saved", (visit) =>
      ERP_SETTINGS.send(visit, { connectionId: connectionIn(visit) }),
    ),
    "/:connectionId/on": switchSync(true),
    "/:connectionId/off": switchSync(false),
    "/:connectionId/sync": {
      async send(visit) {
        const { sync_run_id: id } = await visit.call(startErpSync, { connection_id: connectionIn(visit) });
        return withQuery(`/sync-runs/${id}`, { workspace: visit.workspace.tenantId, done: "started" });
      },
    },
    "/:connectionId/retire": {
      title: "Missing invoices",
      async ask(visit) {
        const states = await visit.call(listErpStates, {});
        const { connectionId } = visit.request.params;
        const found = states.find(({ connection: { id } }) => id === connectionId);
        if (!found?.held) throw notFound("sync run that waits for a confirmation");
        return retireView(visit, found.name, found.held);
      },
      async send(visit) {
        const run = { connection_id: connectionIn(visit), sync_run_id: idIn(visit.field("run"), "sync run") };
        await visit.call(confirmRetirement, run);
        return "retire";
      },
    },
    "/:connectionId/disconnect": {
      title: "Disconnect",
      async ask(visit) {
        const found = await visit.call(getErpConnection, { connection_id: connectionIn(visit) });
        if (found.status === "disconnected") throw notFound("ERP connection");
        return disconnectErpView(visit, found.name, await visit.call(readErpRemains, { connectionId: found.id }));
      },
      ...doing("disconnected", (visit: WorkspaceVisit) =>
        visit.call(disconnectErp, { connectionId: connectionIn(visit) }),
      ),
    },
  },
});
