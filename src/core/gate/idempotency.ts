import { createHash } from "node:crypto";
import { z } from "zod";
import {
  awaitIdempotencyScope,
  findIdempotencyRecord,
  type IdempotencyRecord,
  type IdempotencyScope,
  releaseIdempotencyRecords,
  takeIdempotencyScope,
  writeIdempotencyRecord,
} from "../../store/idempotency.ts";
import type { Transaction } from "../../store/store.ts";
import type { AnyActor } from "./actor.ts";
import type { Core } from "./core.ts";
import { ServiceError } from "./error.ts";

/** How long a key is remembered (service.md §8). */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60_000;

/** What a caller names a request by, to send it again safely (service.md §8). */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters")
  .describe("Names this request, so that it can be sent again safely for 24 hours");

/** A request that is carried out once: whose, under which key, of which operation, asking for what. */
export interface OnceOnly {
  readonly scope: IdempotencyScope;
  readonly operation: string;
  readonly requestHash: string;
  readonly now: string;
}

/** Throws `idempotency_key_required` without a well-formed key. */
export function requireIdempotencyKey(key: string | undefined): string {
  const parsed = IdempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    "idempotency_key_required",
    "This operation needs an Idempotency-Key header of 1 to 255 printable ASCII characters.",
  );
}

/**
 * Keys belong to the workspace for all its API keys, so that a request can be sent again with the key that took the place of
 * the first, and to the connection for an assistant (completions §10). `input` is what the caller asked for, parsed: however
 * it was written, the same request is the same text.
 */
export function onceOnly(actor: AnyActor, operation: string, key: string, input: unknown, now: string): OnceOnly {
  return {
    scope: { tenant_id: actor.tenantId, caller: keyOwner(actor), idempotency_key: key },
    operation,
    requestHash: createHash("sha256").update(canonicalJson(input)).digest("hex"),
    now,
  };
}

function keyOwner(actor: AnyActor): string {
  switch (actor.kind) {
    case "api_key":
      return "workspace";
    case "assistant":
      return `connection:${actor.connectionId}`;
    case "person":
      return `member:${actor.memberId}`;
    case "provider":
      return `provider:${actor.integrationId}`;
    case "operator":
    case "system":
      return actor.kind;
  }
}

/**
 * The response of a request that was carried out already, as JSON; null for a new one, whose key is held until the
 * transaction ends. Throws `idempotency_conflict` for a key of another request, `conflict` while one is in flight.
 */
export async function recall(tx: Transaction, once: OnceOnly): Promise<string | null> {
  return (await findRecord(tx, once))?.response ?? null;
}

/** What is known of a request that works outside the store: its answer, or what it reserved before it went to work. */
export type Known =
  | { readonly state: "new" }
  | { readonly state: "reserved"; readonly reservation: string }
  | { readonly state: "answered"; readonly response: string };

/** How long a request that works outside the store is believed alive when nothing is heard of it. */
export const OUTSIDE_HOLD_MS = 10_000;
/** No hold is this long, not even an earlier version's: one that is was set by a clock that was wrong. */
const FARTHEST_HOLD_MS = 60_000;

/** The same as {@link recall}; `conflict` also while somebody is believed at work on the reservation. */
export async function recallReservation(tx: Transaction, once: OnceOnly): Promise<Known> {
  const record = await findRecord(tx, once);
  if (record === undefined) return { state: "new" };
  if (record.response !== null) return { state: "answered", response: record.response };
  const heldMs = record.held_until === null ? 0 : Date.parse(record.held_until) - Date.parse(once.now);
  if (heldMs > 0 && heldMs <= FARTHEST_HOLD_MS) throw inFlight(Math.min(heldMs, OUTSIDE_HOLD_MS));
  return record.reservation === null ? { state: "new" } : { state: "reserved", reservation: record.reservation };
}

/** Waits for the request's turn and answers what is kept of it. For whoever finishes the request. */
export async function awaitTurn(tx: Transaction, once: OnceOnly): Promise<IdempotencyRecord | undefined> {
  await awaitIdempotencyScope(tx, once.scope);
  return findIdempotencyRecord(tx, once.scope, notExpired(once.now));
}

async function findRecord(tx: Transaction, { scope, operation, requestHash, now }: OnceOnly) {
  if (!(await takeIdempotencyScope(tx, scope))) throw inFlight();
  const record = await findIdempotencyRecord(tx, scope, notExpired(now));
  if (record === undefined) return undefined;
  if (record.operation !== operation) throw usedOtherwise("on another operation");
  if (record.request_hash !== requestHash) throw usedOtherwise("with a different body");
  return record;
}

function usedOtherwise(how: string): ServiceError {
  return new ServiceError("idempotency_conflict", `This Idempotency-Key was used ${how}. Use a fresh key.`);
}

/** `heldMs`: a request cut off is believed at work so long; one inside the store ends with its transaction. */
function inFlight(heldMs = 0): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(heldMs / 1_000));
  const when = retryAfterSeconds === 1 ? "in a second" : `in ${retryAfterSeconds} seconds`;
  const message = `A request with this Idempotency-Key is in flight. Send it again with the same key ${when}.`;
  return new ServiceError("conflict", message, { retryAfterSeconds });
}

function notExpired(now: string): string {
  return new Date(Date.parse(now) - IDEMPOTENCY_KEY_LIFETIME_MS).toISOString();
}

/** Keeps the response, in the transaction of the effect: both last, or neither. */
export function remember(tx: Transaction, once: OnceOnly, response: string): Promise<void> {
  return writeIdempotencyRecord(tx, { ...recordOf(once), response, reservation: null, held_until: null });
}

/** Keeps what a request reserved, in the same transaction, and that somebody works on it until `heldUntil`. */
export function rememberReservation(
  tx: Transaction,
  once: OnceOnly,
  { reservation, heldUntil }: { reservation: string; heldUntil: string },
): Promise<void> {
  return writeIdempotencyRecord(tx, { ...recordOf(once), response: null, reservation, held_until: heldUntil });
}

/** Ends every hold there is: right where one process is all there is, at its start, for whoever had them is gone. */
export function releaseEveryHold({ store }: Pick<Core, "store">): Promise<void> {
  return store.system(releaseIdempotencyRecords);
}

function recordOf({ scope, operation, requestHash, now }: OnceOnly) {
  return { ...scope, operation, request_hash: requestHash, created_at: now };
}

/** JSON with the members of every object in one order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
