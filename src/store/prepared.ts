import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from "kysely";
import { prepared } from "./driver/statements.ts";
import type { Tables, Transaction } from "./tables/index.ts";
import { TenantWall } from "./tenancy/tenant-wall.ts";

/** A placeholder for a value of each call. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Puts statements together without a connection. */
const compiler = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error("nothing is sent from here")) }),
  // The second wall, as in every other statement.
  plugins: [new TenantWall(new Parameter("tenantId"))],
});

/** The placeholder of a value, by its name. */
export type ValueOf<V> = <N extends keyof V & string>(name: N) => RawBuilder<V[N]>;

/**
 * A statement put together once, with the second wall before every table of a tenant's, and parsed once a connection; only for
 * lookups by key, as all values share a plan.
 */
export function preparedStatement<V extends object, R>(
  build: (db: Transaction, value: ValueOf<V>) => CompiledQuery<R>,
): (tx: Transaction, values: V & { tenantId: string }) => Promise<R[]> {
  const statement = prepared(build(compiler, (name) => sql`${new Parameter(name)}`));
  return async (tx, values) => {
    const parameters = statement.parameters.map((one) =>
      one instanceof Parameter ? Reflect.get(values, one.name) : one,
    );
    return (await tx.executeQuery<R>({ ...statement, parameters })).rows;
  };
}
