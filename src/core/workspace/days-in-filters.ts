import type { RunContext } from "../gate/operation.ts";
import { startOfDay } from "../kernel/local-time.ts";
import type { DayStart, InInstants } from "../kernel/wire-types.ts";
import { timezoneOf } from "./workspace-queries.ts";

const isDay = (value: unknown): value is DayStart => typeof value === "object" && value !== null && "day" in value;

/**
 * Filters with an instant, ISO 8601 UTC, in the place of each day: when it starts in the workspace's timezone. That is read
 * only where a day was given.
 */
export async function inInstants<Filters extends object>(
  { tx, actor }: Pick<RunContext, "tx" | "actor">,
  filters: Filters,
): Promise<InInstants<Filters>> {
  const timezone = Object.values(filters).some(isDay) ? await timezoneOf(tx, actor.tenantId) : "UTC";
  return JSON.parse(
    JSON.stringify(filters, (_, value: unknown) => (isDay(value) ? startOfDay(value.day, timezone) : value)),
  );
}
