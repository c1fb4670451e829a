import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { bodyOf, type LocalServer, localServer } from "../local-server.ts";
import { type Answer, errorAnswer, FusionFault, type FusionRequest } from "./answers.ts";
import { type Faults, StandIn } from "./faults.ts";
import type { Office } from "./office.ts";
import { readFrameworkVersion } from "./parameters.ts";
import { header, send } from "./wire.ts";

/** A request as it arrived; control requests are not among them. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<IncomingMessage["headers"]>;
  /** As it was sent. */
  readonly body: string;
}

/** A user of the simulated tenant. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The parts that the server calls. */
interface ServerParts {
  readonly credentials: Credentials | undefined;
  readonly faults: Faults;
  readonly office: Office;
  /** The latest requests to the API are added here. */
  readonly requests: SeenRequest[];
  route(request: FusionRequest): Answer;
  /** Applies receipts by their remittance references; answers how many. */
  autoMatch(): number;
}

const REQUESTS_KEPT = 1_000;
const MAX_CONTROL_LENGTH = 10_000;
const MAX_BODY_LENGTH = 1_000_000;

/** The HTTP side of the simulator: control requests, faults, authentication, then the API. */
export function fusionServer(parts: ServerParts): LocalServer {
  const { faults, office, requests } = parts;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    if (url.pathname.startsWith("/_")) return send(response, await controlled(request, url.pathname));
    const body = await bodyOf(request, MAX_BODY_LENGTH);
    const { method = "GET" } = request;
    const query = Object.fromEntries(url.searchParams);
    requests.push({ method, path: url.pathname, query, headers: request.headers, body });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const strike = faults.of(method, url.pathname);
    const contentType = header(request, "content-type") ?? "";
    let frameworkVersion = 1;
    let reply: Answer;
    let cut = false;
    try {
      frameworkVersion = readFrameworkVersion(header(request, "rest-framework-version"));
      const before = await strike("before", response);
      if (before === "silence") return;
      checkCredentials(request, parts.credentials);
      reply = parts.route({ method, url, frameworkVersion, contentType, body });
      const after = await strike("after-effect", response);
      if (after === "silence") return;
      cut = before === "cut" || after === "cut";
    } catch (error) {
      const fault = error instanceof FusionFault ? error : new FusionFault(500, "JBO-29000: the simulator failed.");
      const refusal = () => errorAnswer(fault, frameworkVersion, header(request, "accept") ?? "");
      reply = error instanceof StandIn ? error.answer : refusal();
    }
    send(response, reply, cut);
  }

  async function controlled(request: IncomingMessage, path: string): Promise<Answer> {
    if (request.method !== "POST") return { status: 405, body: "POST only" };
    if (path === "/_automatch") return { status: 200, body: { applied: parts.autoMatch() } };
    try {
      const body: unknown = JSON.parse(await bodyOf(request, MAX_CONTROL_LENGTH));
      if (path === "/_control") return { status: 200, body: faults.set(body) };
      return office.answer(path, body) ?? { status: 404, body: "no such control" };
    } catch (error) {
      if (error instanceof z.ZodError) return { status: 400, body: z.prettifyError(error) };
      return { status: 400, body: error instanceof Error ? error.message : "failed" };
    }
  }

  return localServer(answer);
}

function checkCredentials(request: IncomingMessage, wanted: Credentials | undefined): void {
  if (wanted === undefined) return;
  const expected = Buffer.from(`${wanted.username}:${wanted.password}`, "utf8").toString("base64");
  if (request.headers.authorization === `Basic ${expected}`) return;
  throw new FusionFault(401, "Authentication failed.", "", { "WWW-Authenticate": 'Basic realm="fusion"' });
}
