import type { ErpConnectionState } from "../../core/erp-connections/operator-connection.ts";
import { counted } from "../../core/kernel/counted.ts";
import { failureInWords } from "../../core/sync-runs/queries.ts";
import { ago, type Html, html, link } from "../kit/markup.ts";
import { type WorkspaceVisit, withQuery } from "../kit/page.ts";

/** The words of each status. */
const STATUS = {
  connected: { word: "Connected", tone: "good", means: null },
  requires_reauthentication: {
    word: "Password refused",
    tone: "failed",
    means: "The ERP does not accept the password any more. Every sync fails until it is reconnected below.",
  },
  temporarily_unavailable: {
    word: "Not reachable at the moment",
    tone: "waits",
    means: "The ERP could not be reached.",
  },
  disconnected: {
    word: "Disconnected",
    tone: "quiet",
    means: "It holds no password and nothing is pulled.",
  },
} as const;

const WHAT_STAYS = "What it brought in stays; Auto Generate makes no payment links for it.";

/** A connection's state (service.md §3.1) and how fresh its figures are: a word, a tone, and sentences. */
export function erpHealth(state: ErpConnectionState, visit: WorkspaceVisit) {
  const { site, workspace } = visit;
  const { connection, latestRun } = state;
  const { status, sync_enabled: syncs, last_sync_at: last, last_successful_sync_at: fresh } = connection;
  const toRun = (words: string): Html =>
    link(withQuery(`/sync-runs/${latestRun?.sync_run_id}`, { workspace: workspace.tenantId }), words);
  const none =
    status === "disconnected"
      ? "No sync ever succeeded."
      : "No sync has succeeded at this address yet: what came from it so far is a part.";
  const { means, ...shown } = STATUS[status];
  const isOff = !syncs && status !== "disconnected";
  const sentences = [
    means ?? false,
    isOff && "Sync is switched off: nothing is pulled.",
    latestRun?.status === "running" &&
      html`A sync is under way since ${visit.time(latestRun.started_at)}, with
${counted(latestRun.invoices_read, "invoice")} read so far. ${toRun("See how far it is now")}`,
    status === "disconnected" && fresh !== null && WHAT_STAYS,
    fresh === null ? none : html`Its figures are as of ${visit.time(fresh)}, ${ago(fresh, site.core.clock.now())}.`,
    latestRun?.status === "failed" &&
      html`The last sync failed on ${visit.time(last)}: ${failureInWords(latestRun)} ${toRun("What it means")}`,
  ].filter((sentence) => typeof sentence !== "boolean");
  return isOff && status === "connected"
    ? { word: "Sync is off", tone: "waits" as const, sentences }
    : { ...shown, sentences };
}
