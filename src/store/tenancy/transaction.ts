import type { Kysely } from "kysely";
import type { Tables } from "../tables/index.ts";

/** A connection inside an open transaction. In a tenant's, all three walls stand (ARCHITECTURE.md, tenant isolation). */
export type Transaction = Kysely<Tables>;
