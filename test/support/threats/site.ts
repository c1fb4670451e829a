import { afterAll, beforeAll } from "vitest";
import { TestClock } from "../core.ts";
import { signInAndApprove } from "../oauth-client.ts";
import { type ConnectedPerson, connectPerson } from "../oauth-person.ts";
import { type People, peopleOf } from "../people.ts";
import { type RunningService, startService } from "../service.ts";
import { type FakeInternet, fakeInternet } from "./internet.ts";

/** The whole service on one store, as the rows of the table attack it; its clock stands still at the time of the start. */
export interface ThreatSite extends People {
  readonly service: RunningService;
  readonly origin: string;
  readonly clock: TestClock;
  readonly internet: FakeInternet;
  /** Headers of a caller whose failures are on nobody else's account. */
  fromElsewhere(): Record<string, string>;
  /** Somebody with an assistant. */
  connect(options?: Parameters<typeof connectPerson>[1]): Promise<ConnectedPerson>;
  /** Another assistant of the same person. */
  sibling(person: ConnectedPerson): ReturnType<typeof signInAndApprove>;
  /** Calls a tool, from an address of its own unless told otherwise. */
  call(token: string | null, call?: ToolCall): Promise<Response>;
}

interface ToolCall {
  tool?: string;
  arguments?: object;
  query?: string;
  headers?: Record<string, string>;
}

/** One for all rows of a `describe`. */
export function useThreatSite(kind: "embedded" | "postgres"): ThreatSite {
  const clock = new TestClock(new Date().toISOString());
  const internet = fakeInternet();
  const held: { service?: RunningService } = {};
  beforeAll(async () => {
    held.service = await startService(kind, {
      clock,
      internet: internet.parts,
      environment: { TRUSTED_PROXIES: "1" },
      jobs: { lookEveryMs: 60_000 },
    });
  });
  afterAll(() => held.service?.close());

  const running = (): RunningService => {
    if (held.service === undefined) throw new Error("the service is not started yet");
    return held.service;
  };
  let addresses = 0;
  const fromElsewhere = (): Record<string, string> => {
    addresses += 1;
    return { "x-forwarded-for": `198.51.${addresses >> 8}.${addresses & 255}` };
  };
  return {
    clock,
    internet,
    get service() {
      return running();
    },
    get origin() {
      return running().url;
    },
    fromElsewhere,
    addWorkspace: (options) => peopleOf(running().core).addWorkspace(options),
    addPerson: (workspaceId, options) => peopleOf(running().core).addPerson(workspaceId, options),
    connect(options) {
      return connectPerson({ ...peopleOf(running().core), origin: running().url }, options);
    },
    sibling: ({ email, browser }) => signInAndApprove(running().url, { email, password: "", browser }),
    call(token, { tool = "get_context", arguments: args = {}, query = "", headers = {} } = {}) {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } };
      return fetch(`${running().mcpUrl}${query}`, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...fromElsewhere(),
          ...headers,
        },
        body: JSON.stringify(body),
      });
    },
  };
}
