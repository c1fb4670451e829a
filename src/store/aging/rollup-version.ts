import { sql } from "kysely";

/**
 * Of what a roll-up keeps, and how it is counted: a change of either takes the next number. Processes of two versions may run
 * side by side. To each a roll-up of the other is one that is not built.
 */
export const ROLLUP_VERSION = 1;

/** The day of the roll-up in `aging_state`; null where none of this version is built. */
export const ROLLUP_DAY = sql<
  string | null
>`case when aging_state.version = ${sql.lit(ROLLUP_VERSION)} then aging_state.as_of end`;
