import { type RequestHandler, Router } from "express";
import type { Core } from "../core/core.ts";
import { notFound } from "../core/error.ts";
import { receiveNotification } from "../core/payments/receive-notification.ts";
import { Uuid } from "../core/validation.ts";
import { readBody } from "./body.ts";

const MAX_NOTIFICATION_BYTES = 512 * 1024;

/**
 * `POST /webhooks/stripe/{id}`, of an integration or its workspace: where Stripe tells of payments. What is answered with
 * a success is taken in for good; anything else Stripe sends again for three days. Errors go on to whoever sends them.
 */
export function webhooks({ core }: { core: Core }): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.post("/webhooks/stripe/:id", async (request, response) => {
    const id = Uuid.safeParse(request.params.id).data;
    if (id === undefined) throw notFound("payment integration");
    const body = await readBody(request, MAX_NOTIFICATION_BYTES);
    const signature = request.get("Stripe-Signature");
    await receiveNotification(core, { provider: "stripe", id, body, signature });
    response.set("Cache-Control", "no-store").json({ received: true });
  });
  return router;
}
