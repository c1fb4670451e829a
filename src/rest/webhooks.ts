import { type Request, type RequestHandler, Router } from "express";
import { noteKnownCaller } from "../../auth/caller.ts";
import { networkOf, sourceOf } from "../../auth/failed-authentications.ts";
import { boundedLog } from "../core/gate/bounded-log.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { notFound, ServiceError } from "../core/kernel/error.ts";
import { validationFailed } from "../core/kernel/validation.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import { receiveNotification } from "../core/payments/events/receive-notification.ts";
import { FairTurns, TooBusy } from "../fair-turns.ts";
import { setNewest } from "../gateways/newest.ts";
import { readRequestBody } from "./body.ts";

const MAX_NOTIFICATION_BYTES = 512 * 1024;
/** Bodies in memory at once: their sender is not known before they are proved. One sender has a quarter of these, and others of it wait. */
const PLACES = 32;
const WAITING_OF_SENDER = 12;
const MOST_SENDERS = 500;
/** Look-ups of ids at once, and of one address: an unknown id gets no line of its own. */
const LOOKS = { concurrency: 4, ofSource: 2, waitingOfSource: 100, sources: MOST_SENDERS };
const READ_MS = 3_000;
/** After each proof the next waits four times as long as it took: they cost a fifth of a processor at most. */
const RESTS = 4;
/** Of senders that are remembered. */
const MOST_KNOWN = 10_000;

interface WebhookOptions {
  core: Core;
  /** Counts a refusal against its address and returns the error to answer. Signed notifications are accepted regardless. */
  onRefused?: (error: unknown, address: string | undefined) => Promise<unknown>;
}

/** `POST /webhooks/stripe/{id}` (integration or workspace). What is not stored Stripe sends again for three days. */
export function webhooks({ core, onRefused = async (error) => error }: WebhookOptions): RequestHandler {
  const quiet = { ...core, log: boundedLog(core.log) };
  const ways = { known: wayOf(), strangers: wayOf() };
  const looks = new FairTurns(LOOKS);
  const known = new Map<string, true>();
  const router = Router({ caseSensitive: true, strict: true });
  router.post("/webhooks/stripe/:id", async (request, response) => {
    const id = Uuid.safeParse(request.params.id).data;
    if (id === undefined) throw notFound("payment integration");
    const source = sourceOf(request.ip);
    const address = networkOf(source) ?? source;
    // A provider sends to all workspaces from a few addresses: each of them has a line of its own there.
    const senderTo = (tenantId: string) => `${address} ${tenantId}`;
    // Who proved something lately stands in no line with strangers, but in its workspace's.
    const lineTo = (tenantId: string) =>
      known.has(senderTo(tenantId))
        ? ({ ...ways.known, line: tenantId } as const)
        : ({ ...ways.strangers, line: senderTo(tenantId) } as const);
    try {
      await receiveNotification(quiet, {
        provider: "stripe",
        id,
        signature: request.get("Stripe-Signature"),
        inLook: (look) => looks.run(address, look),
        inPlace(tenantId, work) {
          const { places, line } = lineTo(tenantId);
          return places.run(line, work);
        },
        readBody: () => readNotification(request),
        inTurn(tenantId, prove) {
          const { proofs, line } = lineTo(tenantId);
          return proofs.run(line, async () => {
            const proved = await proveFor(request, prove);
            setNewest(known, senderTo(tenantId), true, MOST_KNOWN);
            return proved;
          });
        },
      });
    } catch (error) {
      if (error instanceof TooBusy) throw tooMany();
      throw await onRefused(error, request.ip);
    }
    noteKnownCaller(response);
    response.set("Cache-Control", "no-store").json({ received: true });
  });
  return router;
}

/** Places for bodies, and the turns to prove them, one at a time. */
function wayOf() {
  const [waitingOfSource, sources] = [WAITING_OF_SENDER, MOST_SENDERS];
  return {
    places: new FairTurns({ concurrency: PLACES, ofSource: PLACES / 4, leavesRoom: true, waitingOfSource, sources }),
    proofs: new FairTurns({ concurrency: 1, rests: RESTS, waitingOfSource: PLACES, sources: PLACES }),
  };
}

/** Not for who left meanwhile. */
function proveFor<T>({ socket }: Request, prove: () => Promise<T>) {
  if (socket.destroyed) throw validationFailed([{ field: "body", message: "was cut off" }]);
  return prove();
}

const tooMany = () =>
  new ServiceError("rate_limit_exceeded", "This address sends too many notifications at once.", {
    retryAfterSeconds: 5,
  });

/** Reads a body. One that takes too long is cut off. */
async function readNotification(request: Request) {
  const timer = setTimeout(() => request.destroy(), READ_MS);
  try {
    return await readRequestBody(request, MAX_NOTIFICATION_BYTES);
  } finally {
    clearTimeout(timer);
  }
}
