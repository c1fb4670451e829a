import { setTimeout as sleep } from "node:timers/promises";
import { type Request, type RequestHandler, Router } from "express";
import { noteKnownCaller } from "../../auth/caller.ts";
import { sourceOf } from "../../auth/failed-authentications.ts";
import { boundedLog } from "../core/gate/bounded-log.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { notFound, ServiceError } from "../core/kernel/error.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import { receiveNotification } from "../core/payments/events/receive-notification.ts";
import { FairTurns, TooBusy } from "../fair-turns.ts";
import { readRequestBody } from "./body.ts";

const MAX_NOTIFICATION_BYTES = 512 * 1024;
/** Bodies of an address that are read at once. Its sender is not known before, and memory holds what came. */
const MOST_OPEN = 20;
const MOST_SENDERS = 500;
const READ_MS = 10_000;
/** After a forged one all wait four times as long as it took, so that forgeries cost a fifth of a processor at most. */
const RESTS = 4;

interface WebhookOptions {
  core: Core;
  /** Counts a refusal against its address and returns the error to answer. Signed notifications are accepted regardless. */
  onRefused?: (error: unknown, address: string | undefined) => Promise<unknown>;
}

/** `POST /webhooks/stripe/{id}` (integration or workspace). What is not stored Stripe sends again for three days. */
export function webhooks({ core, onRefused = async (error) => error }: WebhookOptions): RequestHandler {
  const quiet = { ...core, log: boundedLog(core.log) };
  const open = new Map<string, number>();
  const turns = new FairTurns({ concurrency: 1, waitingOfSource: MOST_OPEN, sources: MOST_SENDERS });
  const router = Router({ caseSensitive: true, strict: true });
  router.post("/webhooks/stripe/:id", async (request, response) => {
    const id = Uuid.safeParse(request.params.id).data;
    if (id === undefined) throw notFound("payment integration");
    const signature = request.get("Stripe-Signature");
    const readBody = () => readNotification(request, open);
    const inTurn = <T>(prove: () => Promise<T>) => turns.run(sourceOf(request.ip), () => restedAfterFailure(prove));
    try {
      await receiveNotification(quiet, { provider: "stripe", id, signature, readBody, inTurn });
    } catch (error) {
      throw error instanceof TooBusy ? tooMany() : await onRefused(error, request.ip);
    }
    noteKnownCaller(response);
    response.set("Cache-Control", "no-store").json({ received: true });
  });
  return router;
}

async function restedAfterFailure<T>(work: () => Promise<T>) {
  const began = performance.now();
  try {
    return await work();
  } catch (error) {
    await sleep(RESTS * (performance.now() - began));
    throw error;
  }
}

const tooMany = () =>
  new ServiceError("rate_limit_exceeded", "This address sends too many notifications at once.", {
    retryAfterSeconds: 5,
  });

/** Reads a body; `open` counts those being read, by address. One that takes too long is cut off. */
async function readNotification(request: Request, open: Map<string, number>) {
  const source = sourceOf(request.ip);
  const others = open.get(source) ?? 0;
  if (others >= MOST_OPEN) throw tooMany();
  open.set(source, others + 1);
  const timer = setTimeout(() => request.destroy(), READ_MS);
  try {
    return await readRequestBody(request, MAX_NOTIFICATION_BYTES);
  } finally {
    clearTimeout(timer);
    const left = (open.get(source) ?? 1) - 1;
    if (left === 0) open.delete(source);
    else open.set(source, left);
  }
}
