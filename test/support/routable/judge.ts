import { DIRECTORY_TABLES, TENANT_TABLES } from "../../../src/store/tables/index.ts";
import { isGroup, type Token, tokensOf, withoutCasts } from "./tokens.ts";

/** Through which door a statement came (src/store/store.ts). */
export type Door = "tenant" | "directory" | "everyShard";

/** A rule that a statement breaks, and what to do. */
export interface Breach {
  readonly rule: string;
  readonly remedy: string;
}

const BY_VALUE =
  "Say `tenant_id = …` with the tenant's value for each table, or join it on tenant_id to one that has it.";

const APART =
  "Ask the directory first, in a statement of its own, and the tenant's tables with what it answered: they are on other servers.";

/** A table of tenants' that a query names, and whether its tenant is known by value. */
interface Named {
  readonly table: string;
  readonly alias: string;
  isKnown: boolean;
  readonly sameAs: Set<Named>;
  readonly scope: Scope;
}

interface Scope {
  readonly parent: Scope | null;
  readonly named: Named[];
  /** Aliases that are no tenants' tables hide those of the parents. */
  readonly others: Set<string>;
}

const QUERY = new Set(["select", "with", "insert", "update", "delete"]);
const ENDS_ALIAS = new Set(
  "on where set join left right inner cross full natural group order limit union for using values select lateral default having returning offset fetch window do".split(
    " ",
  ),
);

/** In a statement's tokens as JSON. */
const LOCKS = /"for","(update|share|no|key)"/;

/** The rules that a statement breaks which has to be routed by one tenant. */
export function breachesOf(sql: string, door: Door): Breach[] {
  const tokens = withoutCasts(tokensOf(sql));
  const found: Breach[] = [];
  const flat = JSON.stringify(tokens);
  if (flat.includes('"ctid"')) found.push({ rule: "no ctid", remedy: "Find rows by their key: a row may move." });
  if (/^\["(update|insert|with)"/.test(flat) && /"case",(?!"when")/.test(flat))
    found.push({
      rule: "no CASE of a value",
      remedy: "Say `case when … = …`: a worker misreads `case … when …` in a write.",
    });
  const [inDirectory, ofTenants] = [DIRECTORY_TABLES, TENANT_TABLES].map((tables) =>
    [...tables].filter((name) => flat.includes(`"${name}"`)),
  );
  if (inDirectory?.length && ofTenants?.length)
    found.push({ rule: `${ofTenants.join(", ")} beside ${inDirectory.join(", ")} of the directory`, remedy: APART });
  if (door === "everyShard") {
    if (LOCKS.test(flat))
      found.push({ rule: "no lock without a tenant", remedy: "Find first; lock in a transaction of the tenant." });
    return found;
  }
  const all: Named[] = [];
  judge(tokens, null, all, found);
  spread(all, LOCKS.test(flat));
  for (const { table, alias } of all.filter(({ isKnown }) => !isKnown))
    found.push({ rule: `the tenant of ${table} (${alias}) by value`, remedy: BY_VALUE });
  return found;
}

/** Only values find the worker of a lock: what a query within says of the one around it is not enough. */
function spread(all: readonly Named[], isLocking: boolean): void {
  const known = all.filter(({ isKnown }) => isKnown);
  for (let one = known.pop(); one !== undefined; one = known.pop())
    for (const other of one.sameAs)
      if (!other.isKnown && (!isLocking || other.scope === one.scope)) {
        other.isKnown = true;
        known.push(other);
      }
}

/** A query between brackets, or the whole statement: each of its branches is a scope of its own. */
function judge(tokens: readonly Token[], parent: Scope | null, all: Named[], found: Breach[]): void {
  const branches: Token[][] = [[]];
  for (const token of tokens) {
    if (token === "union" || token === "except" || token === "intersect") branches.push([]);
    else branches.at(-1)?.push(token);
  }
  for (const branch of branches) {
    const scope: Scope = { parent, named: [], others: new Set() };
    const rest = withoutParts(branch, scope, all, found);
    nameTables(rest, scope, found);
    all.push(...scope.named);
    readConditions(rest, scope, all, found);
  }
}

/** Judges the parts of `with` and answers what comes after. */
function withoutParts(tokens: readonly Token[], scope: Scope, all: Named[], found: Breach[]): readonly Token[] {
  if (tokens[0] !== "with") return tokens;
  let at = 1;
  for (;;) {
    while (tokens[at] !== "as") at += 1;
    while (!isGroup(tokens[at])) at += 1;
    const part = tokens[at];
    if (isGroup(part)) judge(part.inside, scope.parent, all, found);
    at += 1;
    if (tokens[at] !== ",") return tokens.slice(at);
  }
}

/** Notes the tables that a query reads or writes. */
function nameTables(tokens: readonly Token[], scope: Scope, found: Breach[]): void {
  let inFrom = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const before = tokens[at - 1];
    const isUpdate = token === "update" && (at === 0 || before === undefined);
    if (token === "insert") judgeInsert(tokens.slice(at), scope, found);
    const begins =
      (token === "from" && before !== "distinct") ||
      isUpdate ||
      token === "join" ||
      (token === "using" && tokens[0] === "delete");
    if (begins) inFrom = true;
    else if (
      typeof token === "string" &&
      ["where", "set", "group", "order", "limit", "returning", "having"].includes(token)
    )
      inFrom = false;
    if (!begins && !(token === "," && inFrom)) continue;
    at = nameOne(tokens, at + 1, scope);
  }
}

/** One table with its alias; answers the place of its last token. */
function nameOne(tokens: readonly Token[], start: number, scope: Scope): number {
  let at = start;
  while (tokens[at] === "only" || tokens[at] === "lateral") at += 1;
  const table = tokens[at];
  if (isGroup(tokens[at + 1])) at += 1;
  if (tokens[at + 1] === "as") at += 1;
  const next = tokens[at + 1];
  const hasAlias = typeof next === "string" && /^[a-z_]/.test(next) && !ENDS_ALIAS.has(next);
  const alias = hasAlias ? String(next) : String(table);
  if (typeof table === "string" && TENANT_TABLES.has(table))
    scope.named.push({ table, alias, isKnown: false, sameAs: new Set(), scope });
  else scope.others.add(alias);
  return hasAlias ? at + 1 : at;
}

/** An insert names its tenant in a column; one of selected rows says what is done where a row is there. */
function judgeInsert(tokens: readonly Token[], _scope: Scope, found: Breach[]): void {
  const table = tokens[2];
  if (typeof table !== "string" || !TENANT_TABLES.has(table)) return;
  const columns = tokens.find(isGroup)?.inside ?? [];
  if (!columns.includes("tenant_id"))
    found.push({ rule: `insert into ${table} names its tenant`, remedy: "List tenant_id among the columns." });
  const after = tokens.slice(3);
  if (after.includes("select") && !after.includes("conflict"))
    found.push({
      rule: `insert into ${table} … select has ON CONFLICT`,
      remedy:
        "Say `on conflict … do nothing` (or do update): without it, rows are copied, which row level security forbids.",
    });
}

function resolve(scope: Scope | null, alias: string | null): readonly Named[] {
  if (scope === null) return [];
  if (alias === null) return scope.named.length > 0 ? scope.named : resolve(scope.parent, null);
  const own = scope.named.filter((one) => one.alias === alias);
  if (own.length > 0) return own;
  return scope.others.has(alias) ? [] : resolve(scope.parent, alias);
}

/** Reads equalities of tenants, and judges the queries between brackets. */
function readConditions(tokens: readonly Token[], scope: Scope, all: Named[], found: Breach[]): void {
  tokens.forEach((token, at) => {
    if (isGroup(token)) {
      const [first] = token.inside;
      if (typeof first === "string" && QUERY.has(first)) judge(token.inside, scope, all, found);
      else if (tokens[at - 1] === "using" && token.inside.includes("tenant_id")) unify(scope.named);
      else readConditions(token.inside, scope, all, found);
      return;
    }
    if (token !== "=") return;
    const [left, right] = [operand(tokens, at, -1), operand(tokens, at, 1)];
    if (left === undefined || right === undefined) return;
    if (left !== "value" && right !== "value") unify([...resolve(scope, left.alias), ...resolve(scope, right.alias)]);
    else
      for (const side of [left, right])
        if (side !== "value") for (const one of resolve(scope, side.alias)) one.isKnown = true;
  });
}

function unify(named: readonly Named[]): void {
  for (const one of named) for (const other of named) if (one !== other) one.sameAs.add(other);
}

type Operand = "value" | { readonly alias: string | null };

/** A value, or somebody's tenant; undefined for anything else. */
function operand(tokens: readonly Token[], equals: number, step: 1 | -1): Operand | undefined {
  const [near, second, third] = [tokens[equals + step], tokens[equals + 2 * step], tokens[equals + 3 * step]];
  if (near === "?") return "value";
  if (step === -1 && near === "tenant_id") return { alias: second === "." ? String(third) : null };
  if (step === 1 && near === "tenant_id") return { alias: null };
  if (step === 1 && second === "." && third === "tenant_id") return { alias: String(near) };
  return undefined;
}
