import { type RequestHandler, Router } from "express";
import { noteKnownCaller } from "../../auth/caller.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { notFound } from "../core/gate/error.ts";
import { receiveNotification } from "../core/payments/events/receive-notification.ts";
import { boundedLog } from "../core/shared/bounded-log.ts";
import { Uuid } from "../core/shared/wire-types.ts";
import { readRequestBody } from "./body.ts";

const MAX_NOTIFICATION_BYTES = 512 * 1024;

export interface WebhookOptions {
  core: Core;
  /** Counts a refusal against its address and returns the error to answer. Signed notifications are accepted regardless. */
  onRefused?: (error: unknown, address: string | undefined) => Promise<unknown>;
}

/** `POST /webhooks/stripe/{id}` (integration or workspace). What is not stored Stripe sends again for three days. */
export function webhooks({ core, onRefused = async (error) => error }: WebhookOptions): RequestHandler {
  const quiet = { ...core, log: boundedLog(core.log) };
  const router = Router({ caseSensitive: true, strict: true });
  router.post("/webhooks/stripe/:id", async (request, response) => {
    const id = Uuid.safeParse(request.params.id).data;
    if (id === undefined) throw notFound("payment integration");
    const body = await readRequestBody(request, MAX_NOTIFICATION_BYTES);
    const signature = request.get("Stripe-Signature");
    try {
      await receiveNotification(quiet, { provider: "stripe", id, body, signature });
    } catch (error) {
      throw await onRefused(error, request.ip);
    }
    noteKnownCaller(response);
    response.set("Cache-Control", "no-store").json({ received: true });
  });
  return router;
}
