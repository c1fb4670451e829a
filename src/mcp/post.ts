import type { ServerResponse } from "node:http";
import { endCompressed } from "../http/compressed.ts";
import type { OpenPost, StopReason } from "./open-calls.ts";
import { outage, ProtocolError } from "./protocol-error.ts";

/** The caller: `key` is the assistant connection's id, `actor` what the operations are called with. */
export interface McpCaller<Actor = unknown> {
  readonly key: string;
  readonly actor: Actor;
}

/** `WWW-Authenticate` values, which name the authorization server. */
export interface Challenges<Caller> {
  /** For a connection that was revoked during the call. */
  revoked(): string;
  /** For a call that needs `scope`, which the caller's connection was not granted (completions §2). */
  insufficientScope(caller: Caller, scope: string): string;
}

interface PostOptions<Caller> {
  res: ServerResponse;
  caller: Caller;
  /** The `X-Request-Id` of the answer. */
  requestId: string;
  /** Whether the client said on `initialize` that it shows views. */
  showsViews?: boolean;
  challenges: Challenges<Caller>;
  /** Called once, when everything is answered, refused or aborted. */
  onEnd: (post: Post<Caller>) => void;
}

/** Sends a protocol error as JSON; nothing where a response has begun or the client has disconnected. */
export function sendProtocolError(res: ServerResponse, refusal: ProtocolError) {
  if (res.headersSent || res.destroyed) return;
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  sendJson(res, refusal.status, refusal.body);
}

/** Errors after the response are ignored. */
function sendJson(res: ServerResponse, status: number, json: string) {
  res.statusCode = status;
  res.setHeader("Content-Type", "application/json");
  res.setHeader("Cache-Control", "no-store");
  endCompressed(res, json).catch(() => res.destroy());
}

/** The response to one POST: JSON, or an event stream once a notification is sent. Handlers outlive their client. */
export class Post<Caller> implements OpenPost {
  readonly caller: Caller;
  readonly requestId: string;
  readonly showsViews: boolean;
  /** Aborts the handlers of its requests; set by what started them. */
  abandon: () => void = () => {};
  readonly #options: PostOptions<Caller>;
  readonly #answers: string[] = [];
  #batch = false;
  #waiting = 0;
  #streaming = false;
  #ended = false;

  constructor(options: PostOptions<Caller>) {
    this.caller = options.caller;
    this.requestId = options.requestId;
    this.showsViews = options.showsViews ?? false;
    this.#options = options;
    // A write error means that the client has disconnected.
    options.res.on("error", () => {});
  }

  get ended() {
    return this.#ended;
  }

  /** Sets how many responses will come, and whether they are sent as an array. */
  expect(answers: number, batch: boolean) {
    this.#waiting = answers;
    this.#batch = batch;
  }

  /** Nothing to answer: the body had notifications and responses only. */
  accept() {
    this.#end(() => {
      this.#options.res.statusCode = 202;
      this.#options.res.end();
    });
  }

  refuse(refusal: ProtocolError) {
    this.#end(() => sendProtocolError(this.#options.res, refusal));
  }

  /** Lets `answer` respond instead, unless a response has begun. */
  turnAway(answer: () => void) {
    this.#end(answer);
  }

  /** Refuses a single call because a scope is missing; false when the response has begun or the call is in a batch. */
  stepUp(scope: string) {
    if (this.#batch || this.#streaming) return false;
    const challenge = this.#options.challenges.insufficientScope(this.caller, scope);
    this.refuse(
      new ProtocolError(403, `This needs the scope ${scope}.`, { headers: { "WWW-Authenticate": challenge } }),
    );
    return true;
  }

  /** Refuses a single call because the store is unavailable; false as above. */
  giveUp(failure: Parameters<typeof outage>[0]) {
    if (this.#batch || this.#streaming) return false;
    this.refuse(outage(failure));
    return true;
  }

  /** Sets `Retry-After` for a single call, where the response has not begun. */
  retryAfter(seconds: number) {
    const { res } = this.#options;
    if (!this.#batch && !this.#ended && !res.headersSent) res.setHeader("Retry-After", String(seconds));
  }

  /** Names the session in the response, where that has not begun. */
  beginSession(id: string) {
    const { res } = this.#options;
    if (!this.#ended && !res.headersSent) res.setHeader("Mcp-Session-Id", id);
  }

  /** Sends a notification before the responses. */
  notify(json: string) {
    if (this.#ended) return;
    this.#stream();
    this.#event(json);
  }

  /** One JSON-RPC response; the last one ends the POST. */
  answer(json: string) {
    if (this.#streaming) this.#event(json);
    else this.#answers.push(json);
    this.skip();
  }

  /** A cancelled request, which gets no response. */
  skip() {
    this.#waiting--;
    if (this.#waiting === 0) this.#end(() => this.#finish());
  }

  /** Access ended or changed: handlers are aborted, a stream ends; before that 401, or 503 where it cannot be told. */
  abort(why: StopReason = "withdrawn") {
    if (this.#ended) return;
    this.abandon();
    if (this.#streaming) {
      this.#end(() => this.#options.res.end());
    } else if (why === "outage") {
      this.refuse(
        outage({ message: "The service has lost its database for a moment. Try again.", retryAfterSeconds: 1 }),
      );
    } else {
      const headers = { "WWW-Authenticate": this.#options.challenges.revoked() };
      this.refuse(new ProtocolError(401, "This connection was revoked, or what it may do has changed.", { headers }));
    }
  }

  #finish() {
    const { res } = this.#options;
    // A cancelled request has no response: its stream ends without one.
    if (this.#answers.length === 0) this.#stream();
    // Released at once: older garbage may keep this object alive for long.
    const answers = this.#answers.splice(0);
    if (this.#streaming) res.end();
    else if (!res.destroyed) sendJson(res, 200, this.#batch ? `[${answers.join(",")}]` : answers.join(""));
  }

  #stream() {
    const { res } = this.#options;
    if (this.#streaming || res.destroyed) return;
    this.#streaming = true;
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    });
    res.flushHeaders();
    for (const answer of this.#answers.splice(0)) this.#event(answer);
  }

  #event(json: string) {
    if (!this.#options.res.destroyed) this.#options.res.write(`event: message\ndata: ${json}\n\n`);
  }

  #end(send: () => void) {
    if (this.#ended) return;
    this.#ended = true;
    send();
    this.#options.onEnd(this);
  }
}
