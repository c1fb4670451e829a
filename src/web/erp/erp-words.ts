import type { ErpConnectionState } from "../../core/erp-connections/operator-connection.ts";
import { type Html, html } from "../kit/html.ts";
import { dateTime } from "../kit/words.ts";

/** The state of a connection: a word, a tone, and sentences that explain it (service.md §3.1). */
export interface ErpHealth {
  word: string;
  tone: "good" | "waits" | "failed" | "quiet";
  sentences: Html[];
}

/** The words of each status. */
const STATUS = {
  connected: { word: "Connected", tone: "good", means: null },
  requires_reauthentication: {
    word: "Reconnect it",
    tone: "failed",
    means: "The ERP does not accept the password any more. Every pull fails until it is reconnected below.",
  },
  temporarily_unavailable: {
    word: "Not reachable at the moment",
    tone: "waits",
    means: "The ERP could not be reached. That usually clears itself.",
  },
  disconnected: {
    word: "Disconnected",
    tone: "quiet",
    means: "It holds no password and nothing is pulled.",
  },
} as const;

const WHAT_STAYS = "What it brought in stays; Auto Generate makes no payment links for it.";

/** Describes a connection's state and how fresh its figures are; times are in `timezone`. */
export function erpHealth(state: ErpConnectionState, { now, timezone }: { now: Date; timezone: string }): ErpHealth {
  const { connection, latestRun } = state;
  const { status, sync_enabled: syncs, last_sync_at: last, last_successful_sync_at: fresh } = connection;
  const time = (instant: string): Html => html`<time datetime="${instant}">${dateTime(instant, timezone)}</time>`;
  const { means, ...shown } = STATUS[status];
  const isOff = !syncs && status !== "disconnected";
  const isTried = status === "requires_reauthentication" || status === "temporarily_unavailable";
  const failsStill = isTried && last !== null && (fresh === null || last > fresh);
  const sentences = [
    means !== null && html`${means}`,
    isOff && html`Sync is switched off: nothing is pulled, neither by itself nor by hand.`,
    latestRun?.status === "running" &&
      html`A pull is under way since ${time(latestRun.started_at)}, with ${latestRun.invoices_read} invoices read so far.`,
    status === "disconnected" && fresh !== null && html`${WHAT_STAYS}`,
    fresh === null
      ? html`${status === "disconnected" ? "No pull ever succeeded." : "No pull has succeeded yet, so it has brought in no figures."}`
      : html`Its figures are as of ${time(fresh)}, ${ago(fresh, now)}.`,
    failsStill && last !== null && html`Pulls are tried and fail, the last time on ${time(last)}.`,
    latestRun?.status === "failed" &&
      latestRun.error_message !== null &&
      html`The last pull ended with: ${latestRun.error_message}`,
  ].filter((sentence) => sentence !== false);
  return isOff && status === "connected" ? { word: "Sync is off", tone: "waits", sentences } : { ...shown, sentences };
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** "3 hours ago". */
function ago(instant: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 0];
  return unit === "second" ? "just now" : relative.format(-Math.floor(seconds / length), unit);
}
