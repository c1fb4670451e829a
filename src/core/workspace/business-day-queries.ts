import { advanceAging } from "../../store/aging/rollup.ts";
import { ROLLUP_DAY } from "../../store/aging/rollup-version.ts";
import { preparedStatement } from "../../store/prepared.ts";
import { type RunContext, StaleRollup } from "../gate/operation.ts";
import { businessDate } from "../kernel/calendar.ts";

/** A workspace's business day, and the day of its roll-up; null before that is built. */
interface BusinessDay {
  readonly today: string;
  readonly asOf: string | null;
}

const DAYS = preparedStatement<{ tenantId: string }, { timezone: string; as_of: string | null }>((db, value) =>
  db
    .selectFrom("tenants")
    .leftJoin("aging_state", "aging_state.tenant_id", "tenants.tenant_id")
    .select(["tenants.timezone", ROLLUP_DAY.as("as_of")])
    .where("tenants.tenant_id", "=", value("tenantId"))
    .compile(),
);

/** The day of a call, and of the roll-up it may read. */
export async function businessDay({ actor, now, tx }: RunContext): Promise<BusinessDay> {
  const [found] = await DAYS(tx, { tenantId: actor.tenantId });
  if (found === undefined) throw new Error("the workspace is gone");
  return { today: businessDate(new Date(now), found.timezone), asOf: found.as_of };
}

/** For a call that reads the roll-up. Throws StaleRollup where it is of another day, as before the first call of each day. */
export function assertOfToday({ actor }: RunContext, { today, asOf }: BusinessDay) {
  if (asOf !== today) throw new StaleRollup((tx) => advanceAging(tx, actor.tenantId, today));
}
