import { type Request, type RequestHandler, Router } from "express";
import { noteKnownCaller } from "../../auth/caller.ts";
import { sourceOf } from "../../auth/failed-authentications.ts";
import { boundedLog } from "../core/gate/bounded-log.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { notFound, ServiceError } from "../core/kernel/error.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import { receiveNotification } from "../core/payments/events/receive-notification.ts";
import { readRequestBody } from "./body.ts";

const MAX_NOTIFICATION_BYTES = 512 * 1024;
/** Bodies of an address that are read at once. Its sender is not known before, and memory holds what came. */
const MOST_OPEN = 20;
const READ_MS = 10_000;

interface WebhookOptions {
  core: Core;
  /** Counts a refusal against its address and returns the error to answer. Signed notifications are accepted regardless. */
  onRefused?: (error: unknown, address: string | undefined) => Promise<unknown>;
}

/** `POST /webhooks/stripe/{id}` (integration or workspace). What is not stored Stripe sends again for three days. */
export function webhooks({ core, onRefused = async (error) => error }: WebhookOptions): RequestHandler {
  const quiet = { ...core, log: boundedLog(core.log) };
  const open = new Map<string, number>();
  const router = Router({ caseSensitive: true, strict: true });
  router.post("/webhooks/stripe/:id", async (request, response) => {
    const id = Uuid.safeParse(request.params.id).data;
    if (id === undefined) throw notFound("payment integration");
    const signature = request.get("Stripe-Signature");
    const readBody = () => readNotification(request, open);
    try {
      await receiveNotification(quiet, { provider: "stripe", id, signature, readBody });
    } catch (error) {
      throw await onRefused(error, request.ip);
    }
    noteKnownCaller(response);
    response.set("Cache-Control", "no-store").json({ received: true });
  });
  return router;
}

/** Reads a body; `open` counts those being read, by address. One that takes too long is cut off. */
async function readNotification(request: Request, open: Map<string, number>) {
  const source = sourceOf(request.ip);
  const others = open.get(source) ?? 0;
  const tooMany = "This address sends too many notifications at once.";
  if (others >= MOST_OPEN) throw new ServiceError("rate_limit_exceeded", tooMany, { retryAfterSeconds: 5 });
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
