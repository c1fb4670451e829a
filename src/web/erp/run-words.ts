import type { z } from "zod";
import { counted } from "../../core/kernel/counted.ts";
import type { SyncRun } from "../../core/sync-runs/schema.ts";
import type { Html } from "../kit/html.ts";
import { chip, type States, stateWords } from "../lists/figures.ts";

export type ShownRun = z.output<typeof SyncRun>;

/** Who started a run, as people read it. */
export const TRIGGER_WORDS: Readonly<Record<ShownRun["trigger"], string>> = {
  manual: "By hand",
  scheduled: "By schedule",
};

const STATUS: States<ShownRun["status"]> = {
  running: ["Under way", "plain"],
  succeeded: ["Succeeded", "good"],
  failed: ["Failed", "failed"],
};

/** The words of a run's states in filters. */
export const RUN_STATES = stateWords(STATUS);

export function runChip(status: ShownRun["status"]): Html {
  return chip(...STATUS[status]);
}

type ErrorCode = NonNullable<ShownRun["error"]>["code"];

/** What a failed run means, and what to do about it. */
export const ERROR_WORDS: Readonly<Record<ErrorCode, readonly [means: string, next: string]>> = {
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
export function durationOf({
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
