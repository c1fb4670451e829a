import type { ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import type { CallProgress } from "../core/gate/run-context.ts";

/**
 * Sends progress to a client that asked for it with a token; null where it did not. Errors of sending are ignored: the
 * result does not depend on it.
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
