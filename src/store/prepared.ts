import { createHash, randomUUID } from "node:crypto";
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

/** Puts statements together without a connection. */
const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** What a value begins with that each call brings; nobody can send it, for it is another one at each start. */
const MARK = `${randomUUID()} `;
const placeholder = (name: string): string => MARK + name;

/** The second wall stands in these statements as in any other (src/store/tenant-wall.ts). */
const walled = compiler.withPlugin(new TenantWall(placeholder("tenantId")));

/** Puts the values of a call in their places in a statement. */
type Binder = (values: object) => CompiledQuery;

function binderOf(compiled: CompiledQuery): Binder {
  const { parameters } = compiled;
  const names = parameters.map((one) =>
    typeof one === "string" && one.startsWith(MARK) ? one.slice(MARK.length) : null,
  );
  return (values) => ({
    ...compiled,
    parameters: names.map((name, index) => (name === null ? parameters[index] : Reflect.get(values, name))),
  });
}

/** The value of that name in a prepared statement. */
export type ValueOf<V> = <N extends keyof V & string>(name: N) => RawBuilder<V[N]>;

/**
 * A statement that is put together once, and by a PostgreSQL server parsed once a connection: for statements that every
 * call of an assistant makes. The plan is soon the same for all values, so it is for lookups by key and nothing else.
 */
export function prepared<V extends object, R>(
  build: (db: Transaction, value: ValueOf<V>) => CompiledQuery<R>,
): (tx: Transaction, values: V & { tenantId: string }) => Promise<R[]> {
  const compiled = build(walled, (name) => sql`${placeholder(name)}`);
  nameOf(compiled.sql);
  const bind = binderOf(compiled);
  return async (tx, values) => {
    const bound: CompiledQuery<R> = bind(values);
    return (await tx.executeQuery(bound)).rows;
  };
}

/** So many shapes are remembered, the latest. */
const MOST_SHAPES = 500;
const shapes = new Map<string, Binder>();

interface Shaped<V> {
  /** Tells everything of a statement that is not in `values`: what is put in from elsewhere stays in it for the next. */
  shape: string;
  /** It is carried out in the same way whatever the values are, so that connections may remember how. */
  hasOnePlan: boolean;
  values: V;
}

/** Answers a statement that is put together once for each shape. */
export async function shaped<V extends { tenantId: string }, R>(
  tx: Transaction,
  { shape, hasOnePlan, values }: Shaped<V>,
  build: (db: Transaction, values: Record<keyof V, string>) => CompiledQuery<R>,
): Promise<R[]> {
  let bind = shapes.get(shape);
  if (bind === undefined) {
    const compiled = build(walled, placeholdersOf(values));
    if (hasOnePlan) nameOf(compiled.sql);
    bind = binderOf(compiled);
    shapes.set(shape, bind);
    const [oldest] = shapes.keys();
    if (shapes.size > MOST_SHAPES && oldest !== undefined) shapes.delete(oldest);
  }
  const bound: CompiledQuery<R> = bind(values);
  return (await tx.executeQuery(bound)).rows;
}

function placeholdersOf<V extends object>(values: V): Record<keyof V, string> {
  return Object.assign({ ...values }, ...Object.keys(values).map((name) => ({ [name]: placeholder(name) })));
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
export type Naming = (text: string) => string | undefined;

/** Names what was {@link prepared} and nothing else. */
export const knownName: Naming = (text) => names.get(text);

/** So many statements are named because they came again; long ones, which insert many rows, are not. */
const MOST_REPEATED = 500;
const LONGEST_REPEATED = 4_000;

/**
 * Names what comes again, too: for the one connection of the embedded store, where reading a statement costs more than
 * carrying it out.
 */
export function repeatedName(): Naming {
  const repeated = new Map<string, string>();
  const seen = new Set<string>();
  return (text) => {
    const name = knownName(text) ?? repeated.get(text);
    if (name !== undefined || text.length > LONGEST_REPEATED || !text.includes("$1")) return name;
    if (seen.has(text)) repeated.set(text, `repeated-${repeated.size}`);
    else if (seen.size < MOST_REPEATED) seen.add(text);
    return repeated.get(text);
  };
}
