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

/** A value, or its placeholder in a statement. */
export type Given<T> = T | RawBuilder<T>;

/** The placeholder of a value, by its name. */
export type ValueOf<V> = <N extends keyof V & string>(name: N) => RawBuilder<V[N]>;

/** Puts a statement together, with the second wall before every table of a tenant's. */
type Build<V, R> = (db: Transaction, value: ValueOf<V>) => CompiledQuery<R>;

function compiled<V, R>(build: Build<V, R>): CompiledQuery<R> {
  return build(compiler, (name) => sql`${new Parameter(name)}`);
}

/** The statement with the values of a call in their places. */
function bound<R>(statement: CompiledQuery<R>, values: object): CompiledQuery<R> {
  const parameters = statement.parameters.map((one) =>
    one instanceof Parameter ? Reflect.get(values, one.name) : one,
  );
  return { ...statement, parameters };
}

/** A statement put together once and parsed once a connection; only for lookups by key, as all values share a plan. */
export function preparedStatement<V extends object, R>(
  build: Build<V, R>,
): (tx: Transaction, values: V & { tenantId: string }) => Promise<R[]> {
  const statement = prepared(compiled(build));
  return async (tx, values) => (await tx.executeQuery(bound(statement, values))).rows;
}

const MOST_SHAPES = 500;

const shapes = new Map<string, CompiledQuery>();

/** A statement put together once for each `shape`, which tells all that `build` depends on beside the values. */
export function shaped<V extends { tenantId: string }, R>(
  shape: string,
  values: V,
  build: Build<V, R>,
): CompiledQuery<R> {
  let statement = shapes.get(shape);
  if (statement === undefined) {
    statement = compiled(build);
    shapes.set(shape, statement);
    const [oldest] = shapes.keys();
    if (shapes.size > MOST_SHAPES && oldest !== undefined) shapes.delete(oldest);
  }
  return bound<R>(statement, values);
}
