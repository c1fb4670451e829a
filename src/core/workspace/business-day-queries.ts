import { advanceAging } from "../../store/aging/rollup.ts";
import { ROLLUP_DAY } from "../../store/aging/rollup-version.ts";
import { readUpToOf } from "../../store/change-stamps.ts";
import { preparedStatement } from "../../store/prepared.ts";
import { type RunContext, StaleRollup } from "../gate/operation.ts";
import { businessDate } from "../kernel/calendar.ts";

/** A workspace's business day, the day of its roll-up, null before that is built, and the instant that lists are read up to. */
export interface BusinessDay {
  readonly today: string;
  readonly asOf: string | null;
  readonly readUpTo: string;
}

interface Days {
  readonly timezone: string;
  readonly as_of: string | null;
  readonly read_up_to: string;
}

const DAYS = preparedStatement<{ tenantId: string }, Days>((db, value) =>
  db
    .selectFrom("tenants")
    .leftJoin("aging_state", "aging_state.tenant_id", "tenants.tenant_id")
    .select(["tenants.timezone", ROLLUP_DAY.as("as_of"), readUpToOf(value("tenantId")).as("read_up_to")])
    .where("tenants.tenant_id", "=", value("tenantId"))
    .compile(),
);

/** The day of a call, and of the roll-up it may read. */
export async function businessDay({ actor, now, tx }: RunContext): Promise<BusinessDay> {
  const [found] = await DAYS(tx, { tenantId: actor.tenantId });
  if (found === undefined) throw new Error("the workspace is gone");
  return { today: businessDate(new Date(now), found.timezone), asOf: found.as_of, readUpTo: found.read_up_to };
}

/** For a call that reads the roll-up. Throws StaleRollup where it is of another day, as before the first call of each day. */
export function assertOfToday({ actor }: RunContext, { today, asOf }: Pick<BusinessDay, "today" | "asOf">) {
  if (asOf !== today) throw new StaleRollup((tx) => advanceAging(tx, actor.tenantId, today));
}
