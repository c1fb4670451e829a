import { createHash } from "node:crypto";
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type { Tables } from "./tables.ts";
import { TenantWall } from "./tenant-wall.ts";
import type { Transaction } from "./transaction.ts";

/** Stands in a prepared statement for a value that each call brings. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The value of that name in a prepared statement. */
export type ValueOf<V> = <N extends keyof V & string>(name: N) => RawBuilder<V[N]>;

/** Puts statements together without a connection. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * A statement that is put together once, and by a PostgreSQL server parsed once a connection: for statements that every
 * call of an assistant or a system makes. In a tenant's, the second wall stands as in any other (src/store/tenant-wall.ts).
 * The plan is soon the same for all values, so it is for lookups by key and nothing else.
 */
export function prepared<V extends object, R>(
  build: (db: Transaction, value: ValueOf<V>) => CompiledQuery<R>,
): (tx: Transaction, values: V & { tenantId: string }) => Promise<R[]> {
  const wall = new TenantWall(new Parameter("tenantId"));
  const compiled = build(compiler.withPlugin(wall), (name) => sql`${new Parameter(name)}`);
  nameOf(compiled.sql);
  return async (tx, values) => {
    const given = new Map<string, unknown>(Object.entries(values));
    const parameters = compiled.parameters.map((one) => (one instanceof Parameter ? given.get(one.name) : one));
    const query: CompiledQuery<R> = { ...compiled, parameters };
    return (await tx.executeQuery(query)).rows;
  };
}

/** Under which connections know statements, by their text. */
const names = new Map<string, string>();

/** Names a statement: connections prepare it at its first use, and only say its name afterwards. */
export function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

/** The name of a statement; undefined for one that is sent whole each time. */
export function knownName(text: string): string | undefined {
  return names.get(text);
}
