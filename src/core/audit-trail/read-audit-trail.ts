import { z } from "zod";
import { countRows, rowsAfter } from "../../store/keyset.ts";
import type { Transaction } from "../../store/store.ts";
import { KeptAuthor } from "../gate/author.ts";
import { invalidCursor, openCursor, sealCursor } from "../gate/cursor.ts";
import { ADMINS_READ, operation } from "../gate/operation.ts";
import { addDays, isPlainDate, LAST_DAY } from "../kernel/calendar.ts";
import { orNotFound } from "../kernel/error.ts";
import { startOfDay } from "../kernel/local-time.ts";
import { cleanText } from "../kernel/text.ts";
import { assertInOrder, validationFailed } from "../kernel/validation.ts";
import { Uuid } from "../kernel/wire-types.ts";
import { timezoneOf } from "../workspace/workspace-queries.ts";
import { labelObjects, type ObjectLabel } from "./label-objects.ts";
import { entriesQuery, selectEveryMember, selectOperations, selectSomeConnections } from "./queries.ts";

/** What an entry may say besides, in the order it is shown in. */
const DETAILS = [
  "changed",
  "how",
  "address",
  "account",
  "scopes",
  "assistants",
  "to",
  "why",
  "receipt",
  "failed",
  "refunded",
  "excess",
  "invoices",
  "due",
  "written",
  "note",
] as const;

const Asked = z.string().max(500).nullable().default(null);

/** What an admin asks of the trail; ids are the caller's text, a null asks for all. */
const AuditQuery = z.strictObject({
  personId: Asked,
  /** The same person, by their email. */
  email: Asked,
  connectionId: Asked,
  operation: Asked,
  /** What was done about one invoice, its links, payments and tasks. */
  invoiceId: Asked,
  /** What was done about one object of any kind. */
  objectId: Asked,
  /** A part of what an entry says, or of a name or number of the customer or invoice that it is about. */
  search: z.string().max(100).nullable().default(null),
  /** What kind of caller it was. */
  kind: KeptAuthor.shape.actor_kind.nullable().default(null),
  /** Days in the workspace, both inclusive. */
  from: Asked,
  to: Asked,
  /** `older` of the page before. */
  cursor: z.string().max(4_000).nullable().default(null),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** One entry of the trail, with names for ids (completions §1). */
export type AuditEntry = ReturnType<typeof asEntry>;

/** A page of the trail, newest first. */
export interface AuditTrail {
  readonly entries: readonly AuditEntry[];
  /** The cursor of the next page; null where the trail ends. */
  readonly older: string | null;
  /** What the trail can be narrowed to. */
  readonly choices: Omit<Awaited<ReturnType<typeof readChoices>>, "membersOf">;
  /** How many entries match; where it was asked for. */
  readonly total: number | null;
}

/**
 * Reads a page of a workspace's audit trail (completions §1); `counted` also counts all that match. Throws `not_found` for a
 * person, connection or operation the workspace never had, `validation_failed` and `invalid_cursor`.
 */
export const readAuditTrail = operation({
  id: "readAuditTrail",
  summary: "Read the audit trail",
  ...ADMINS_READ,
  input: AuditQuery.extend({ counted: z.boolean().default(false), limit: z.int().max(1_000).default(50) }),
  output: z.custom<AuditTrail>(),
  async run({ tx, core, actor: { tenantId } }, { cursor, counted, limit, ...filters }) {
    const scope = { operation: "readAuditTrail", tenantId, query: filters };
    const position = cursor === null ? null : positionOf(openCursor(core.secrets, scope, cursor));
    const { membersOf, ...choices } = await readChoices(tx, tenantId, filters.connectionId);
    const { connections, operations, people } = choices;
    const idOf = (email: string) => people.find((one) => one.email === email)?.id;
    const personId = known(`person with the email ${filters.email}`, filters.email, idOf) ?? filters.personId;
    const query = entriesQuery(tx, tenantId, {
      kind: filters.kind ?? undefined,
      search: filters.search ?? undefined,
      ...(await instantsOf(tx, tenantId, filters)),
      invoiceId: known("invoice", filters.invoiceId, (id) => Uuid.safeParse(id).data),
      memberIds: known("person", personId, (id) => membersOf.get(id)),
      objectId: known("object", filters.objectId, (id) => Uuid.safeParse(id).data),
      connectionId: known("connection", filters.connectionId, (id) => connections.find((one) => one.id === id)?.id),
      operation: known("operation", filters.operation, (asked) => operations.find((name) => name === asked)),
    });
    const columns = { createdAt: "entry.at", id: "entry.entry_id" };
    const found = await rowsAfter(query, columns, { position, order: "desc", limit: limit + 1 }).execute();
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const labelsOf = await labelObjects(tx, tenantId, rows);
    const older = found.length > limit && last !== undefined ? [last.at, last.entry_id] : null;
    return {
      entries: rows.map((row) => asEntry(row, labelsOf(row))),
      older: older === null ? null : sealCursor(core.secrets, scope, older),
      choices,
      total: counted ? await countRows(tx, query) : null,
    };
  },
});

/** The instants between which the days lie. Throws `validation_failed` for what is no day, or crossed. */
async function instantsOf(tx: Transaction, tenantId: string, { from, to }: Pick<AuditQuery, "from" | "to">) {
  const faults = Object.entries({ from, to }).filter(([, day]) => day !== null && !isPlainDate(day));
  if (faults.length > 0)
    throw validationFailed(faults.map(([field]) => ({ field, message: "must be a day such as 2026-11-30" })));
  assertInOrder({ from, to }, "from", "to", "days");
  if (from === null && to === null) return {};
  const timezone = await timezoneOf(tx, tenantId);
  return {
    since: from === null ? undefined : startOfDay(from, timezone),
    before: to === null || to >= LAST_DAY ? undefined : startOfDay(addDays(to, 1), timezone),
  };
}

/** What the trail can be narrowed to, and the memberships of each person. */
async function readChoices(tx: Transaction, tenantId: string, connectionId: string | null) {
  const members = Map.groupBy(await selectEveryMember(tx, tenantId), (row) => row.person_id);
  const connections = await selectSomeConnections(tx, tenantId, Uuid.safeParse(connectionId).data ?? null);
  return {
    membersOf: new Map([...members].map(([id, rows]) => [id, rows.map((row) => row.member_id)])),
    people: [...members].flatMap(([id, [row]]) => (row === undefined ? [] : [{ id, email: row.email }])),
    /** Newest first; `since` is ISO 8601 UTC. */
    connections: connections.map((row) => ({
      id: row.connection_id,
      clientName: shown(row.client_name),
      email: row.email,
      since: row.created_at,
    })),
    operations: await selectOperations(tx, tenantId),
  };
}

type Row = Awaited<ReturnType<ReturnType<typeof entriesQuery>["execute"]>>[number];

/** An entry as people see it. */
export function asEntry(row: Row, labels: readonly ObjectLabel[]) {
  const name = nameOf(row);
  return {
    id: row.entry_id,
    at: row.at,
    actorKind: row.actor_kind,
    /** A person's email, an API key's name, a payment provider's, a job's or an operator's; null where it is not known. */
    actorName: name === null ? null : shown(name),
    /** The assistant they acted through; null for none. */
    clientName: row.client_name === null ? null : shown(row.client_name),
    operation: row.operation,
    objectType: row.object_type,
    objectId: row.object_id,
    /** What people call the object; several of a batch, none of what they know by no number or amount. */
    labels,
    outcome: row.outcome,
    requestId: row.request_id,
    /** What else there is to say, cleaned; by name. */
    details: DETAILS.flatMap((name) => {
      const text = row.details?.[name];
      return text === undefined ? [] : [[name, shown(text)] as const];
    }),
  };
}

function nameOf(row: Row) {
  switch (row.actor_kind) {
    case "api_key":
      return row.key_name;
    case "assistant":
    case "person":
      return row.email;
    case "provider":
      return row.provider;
    case "system":
    case "operator":
      return row.actor_name;
  }
}

/** A name as people can trust it to read. */
function shown(name: string) {
  return cleanText(name) ?? "Unnamed";
}

/** What is asked for; undefined where nothing is. */
function known<T>(what: string, asked: string | null, find: (asked: string) => T | undefined) {
  if (asked === null) return undefined;
  const found = orNotFound(find(asked), what);
  return found;
}

function positionOf([createdAt, id, ...rest]: string[]) {
  if (createdAt === undefined || id === undefined || rest.length > 0) throw invalidCursor();
  return { createdAt, id };
}
