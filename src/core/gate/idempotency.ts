import { createHash } from "node:crypto";
import { z } from "zod";
import {
  awaitIdempotencyScope,
  findIdempotencyRecord,
  type IdempotencyScope,
  takeIdempotencyScope,
  writeIdempotencyRecord,
} from "../../store/idempotency.ts";
import type { Transaction } from "../../store/store.ts";
import { ServiceError } from "../kernel/error.ts";
import type { AnyActor } from "./actor.ts";

/** How long a key is remembered (service.md §8). */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60_000;

/** A caller's name for a request, which makes sending it again safe (service.md §8). */
export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/, "must be 1 to 255 printable ASCII characters")
  .describe("Names this request, so that it can be sent again safely for 24 hours");

/** Identifies a request that is carried out once: owner and key, operation, hash of the input. */
export interface OnceOnly {
  readonly scope: IdempotencyScope;
  readonly operation: string;
  readonly requestHash: string;
  readonly now: string;
}

/** Throws `idempotency_key_required` without a well-formed key. */
export function requireIdempotencyKey(key: string | undefined) {
  const parsed = IdempotencyKey.safeParse(key);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    "idempotency_key_required",
    "This operation needs an Idempotency-Key header of 1 to 255 printable ASCII characters.",
  );
}

/**
 * All API keys of a workspace share their idempotency keys, so that a request can be sent again after a key was rotated; those
 * of an assistant belong to its connection (completions §10). `input` is parsed: equal requests hash alike however they were written.
 */
export function onceOnly(actor: AnyActor, operation: string, key: string, input: unknown, now: string): OnceOnly {
  return {
    scope: { tenant_id: actor.tenantId, caller: keyOwner(actor), idempotency_key: key },
    operation,
    requestHash: createHash("sha256").update(canonicalJson(input)).digest("hex"),
    now,
  };
}

function keyOwner(actor: AnyActor) {
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
export async function recall(tx: Transaction, once: OnceOnly) {
  return (await findRecord(tx, once))?.response ?? null;
}

/** What is stored of a request that works outside the store: its answer, or its reservation. */
type Known =
  | { readonly state: "new" }
  | { readonly state: "reserved"; readonly reservation: string }
  | { readonly state: "answered"; readonly response: string };

/** How long a request that works outside the store keeps its reservation without renewing it. */
export const OUTSIDE_HOLD_MS = 10_000;
/** No version sets a longer hold: a longer one comes from a wrong clock and is ignored. */
const FARTHEST_HOLD_MS = 60_000;

/** The same as {@link recall}; throws `conflict` also while another request holds the reservation. */
export async function recallReservation(tx: Transaction, once: OnceOnly): Promise<Known> {
  const record = await findRecord(tx, once);
  if (record === undefined) return { state: "new" };
  if (record.response !== null) return { state: "answered", response: record.response };
  const heldMs = record.held_until === null ? 0 : Date.parse(record.held_until) - Date.parse(once.now);
  if (heldMs > 0 && heldMs <= FARTHEST_HOLD_MS) throw inFlight(Math.min(heldMs, OUTSIDE_HOLD_MS));
  return record.reservation === null ? { state: "new" } : { state: "reserved", reservation: record.reservation };
}

/** Waits for the key's lock, then reads its record; for a request that has acted outside and now has to finish. */
export async function awaitTurn(tx: Transaction, once: OnceOnly) {
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

function usedOtherwise(how: string) {
  return new ServiceError("idempotency_conflict", `This Idempotency-Key was used ${how}. Use a fresh key.`);
}

/** `heldMs`: how long the hold still lasts; zero for a request inside the store, which ends with its transaction. */
function inFlight(heldMs = 0) {
  const retryAfterSeconds = Math.max(1, Math.ceil(heldMs / 1_000));
  const when = retryAfterSeconds === 1 ? "in a second" : `in ${retryAfterSeconds} seconds`;
  const message = `A request with this Idempotency-Key is in flight. Send it again with the same key ${when}.`;
  return new ServiceError("conflict", message, { retryAfterSeconds });
}

function notExpired(now: string) {
  return new Date(Date.parse(now) - IDEMPOTENCY_KEY_LIFETIME_MS).toISOString();
}

/** Stores the response, in the transaction of the effect. */
export function remember(tx: Transaction, once: OnceOnly, response: string) {
  return writeIdempotencyRecord(tx, { ...recordOf(once), response, reservation: null, held_until: null });
}

/** Stores what a request reserved, in the same transaction, and holds it until `heldUntil`. */
export function rememberReservation(
  tx: Transaction,
  once: OnceOnly,
  { reservation, heldUntil }: { reservation: string; heldUntil: string },
) {
  return writeIdempotencyRecord(tx, { ...recordOf(once), response: null, reservation, held_until: heldUntil });
}

function recordOf({ scope, operation, requestHash, now }: OnceOnly) {
  return { ...scope, operation, request_hash: requestHash, created_at: now };
}

/** JSON with the members of every object in one order. */
function canonicalJson(value: unknown) {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
