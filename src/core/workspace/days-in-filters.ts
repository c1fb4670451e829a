import type { RunContext } from "../gate/operation.ts";
import { startOfDay } from "../kernel/local-time.ts";
import type { DayStart } from "../kernel/wire-types.ts";
import { timezoneOf } from "./workspace-queries.ts";

/**
 * The instants that filters were given, ISO 8601 UTC: of a day, when it starts in the workspace's timezone. That is read
 * only where a day was given.
 */
export async function filterInstants(
  { tx, actor }: Pick<RunContext, "tx" | "actor">,
  given: readonly (string | DayStart | undefined)[],
) {
  const timezone = given.some((one) => typeof one === "object") ? await timezoneOf(tx, actor.tenantId) : "UTC";
  return given.map((one) => (typeof one === "object" ? startOfDay(one.day, timezone) : one));
}
