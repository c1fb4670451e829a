import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, type LocalServer, localServer } from "../local-server.ts";
import { type StripeAnswer, StripeFault } from "./answers.ts";
import { type Accounts, type ApiRequest, readRequest } from "./api.ts";
import { type FaultMode, INTERNAL_ERROR, type StripeFaults } from "./faults.ts";
import { type FormValue, parseForm } from "./form.ts";
import type { IdempotencyKeys } from "./idempotency.ts";

/** A request to the API as it arrived. */
export interface SeenStripeRequest {
  readonly method: string;
  readonly path: string;
  /** Its form, or nothing where it had none that can be read. */
  readonly params: FormValue;
  readonly headers: Readonly<IncomingMessage["headers"]>;
}

/** The parts that the server calls. */
interface ServerParts {
  readonly accounts: Accounts;
  readonly keys: IdempotencyKeys;
  readonly faults: StripeFaults;
  /** The latest requests to the API are added here. */
  readonly requests: SeenStripeRequest[];
  route(request: ApiRequest): StripeAnswer;
  /** Answers `/_control`. */
  control(method: string | undefined, body: string): Promise<StripeAnswer>;
}

type Reply = StripeAnswer | "silence" | "drop";

const REQUESTS_KEPT = 1_000;
const MAX_BODY = 100_000;

/** The HTTP side of the simulator: authentication, then idempotency, then faults, then the API. */
export function simulatorServer({ accounts, keys, faults, requests, route, control }: ServerParts): LocalServer {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await bodyOf(request, MAX_BODY);
    if (url.pathname === "/_control") return send(response, await control(request.method, body));
    const reply = await replyTo(request, url, body).catch((error: unknown) => {
      if (error instanceof StripeFault) return error.answer;
      throw error;
    });
    if (reply === "silence") return;
    if (reply === "drop") return void response.destroy();
    send(response, reply, { "Request-Id": `req_${requests.length}`, "Stripe-Notice": "This is a simulator." });
  }

  async function replyTo({ method = "GET", headers }: IncomingMessage, url: URL, body: string): Promise<Reply> {
    requests.push({
      method,
      path: url.pathname,
      params: formOrNothing(method === "POST" ? body : url.search),
      headers,
    });
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const read = readRequest(method, url, headers, body, accounts);
    const key = headers["idempotency-key"];
    if (method !== "POST" || key === undefined) return (await run(read)).reply;
    const kept = `${read.account}/${String(key)}`;
    const before = keys.begin(kept, `${url.pathname}?${body}`);
    if (before !== undefined) return cutOff(await faults.meet(url.pathname)) ?? before;
    let answered: StripeAnswer | undefined;
    try {
      const ran = await run(read);
      answered = ran.answered;
      return ran.reply;
    } finally {
      keys.finish(kept, answered);
    }
  }

  /** `answered` is the API's answer, `reply` what the caller gets. */
  async function run(request: ApiRequest): Promise<{ answered: StripeAnswer | undefined; reply: Reply }> {
    const mode = await faults.meet(request.path);
    const cut = cutOff(mode);
    if (mode === "hang" || mode === "drop") return { answered: undefined, reply: cut ?? "drop" };
    const answered = mode === "500" ? INTERNAL_ERROR : route(request);
    if (mode === "500_after") return { answered: INTERNAL_ERROR, reply: INTERNAL_ERROR };
    return { answered, reply: cut ?? answered };
  }

  return localServer(answer);
}

/** How a connection ends that gets no answer. */
function cutOff(mode: FaultMode): "silence" | "drop" | undefined {
  if (mode === "hang" || mode === "hang_after") return "silence";
  return mode === "drop" || mode === "drop_after" ? "drop" : undefined;
}

function formOrNothing(text: string): FormValue {
  try {
    return parseForm(text);
  } catch {
    return {};
  }
}

function send(response: ServerResponse, answer: StripeAnswer, headers: Readonly<Record<string, string>> = {}): void {
  const text = JSON.stringify(answer.body);
  response.writeHead(answer.status, { "Content-Type": "application/json", ...headers, ...answer.headers }).end(text);
}
