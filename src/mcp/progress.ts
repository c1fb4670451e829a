import type { ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import type { CallProgress } from "../core/gate/run-context.ts";

/**
 * Tells a client that asked for it, by a token, how far its request is; null where it did not ask. What cannot be sent
 * is left out: the result does not hang on it.
 */
export function progressTo(
  progressToken: unknown,
  send: (notification: ServerNotification) => Promise<void>,
): ((progress: CallProgress) => void) | null {
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return null;
  return ({ done, total, message }) => {
    const params = { progressToken, progress: done, total, message };
    send({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
