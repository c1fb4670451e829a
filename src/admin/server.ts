import type { Core } from "../core/core.ts";
import { executeRequest } from "./execute.ts";
import { type AdminSocket, serveAdmin } from "./socket.ts";

/**
 * Lets `npm run admin` reach the service that holds the embedded store. Reserved pulls are left to the service's jobs.
 */
export function startAdminSocket(core: Core, dataDir: string): Promise<AdminSocket> {
  return serveAdmin({
    dataDir,
    answer: (request, signal) => executeRequest({ core, signal, leadRuns: null }, request),
  });
}
