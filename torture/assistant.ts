import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type RegisteredClient, refresh, signInAndApprove, type Tokens } from "../test/support/oauth-client.ts";
import { type Asked, type Asker, askTool, causeOf } from "./ask.ts";
import { awakeMs } from "./awake.ts";
import { PASSWORD, type Tenant } from "./tenant.ts";

/** The predecessor of a refresh token works for 30 s: so long an exchange without an answer is made again. */
const RENEWING_MS = 25_000;
const PAUSE_MS = 300;

const Refused = z.looseObject({ error: z.string() });
const Refreshed = z.looseObject({ access_token: z.string(), refresh_token: z.string() });

/** An assistant of a tenant's admin: signed in through the pages once, then living on its refresh tokens. */
export class Assistant {
  readonly #asker: Asker;
  readonly #origin: string;
  readonly #tenant: Tenant;
  /** Whether its tokens, and its sign-in, may run out, as when clocks jump: it then signs in again. */
  readonly #mayRunOut: boolean;
  #client: RegisteredClient = { clientId: "" };
  #tokens: Tokens | undefined;
  #renewing: Promise<void> | undefined;

  constructor(asker: Asker, origin: string, tenant: Tenant, { mayRunOut = false } = {}) {
    this.#asker = asker;
    this.#origin = origin;
    this.#tenant = tenant;
    this.#mayRunOut = mayRunOut;
  }

  /** Registers, signs in and consents. */
  async connect(): Promise<void> {
    const approved = await signInAndApprove(this.#origin, { email: this.#tenant.email, password: PASSWORD });
    this.#client = approved.client;
    this.#tokens = approved.tokens;
    this.#asker.tally.requests += 5;
  }

  async call(name: string, args: object, progress = false): Promise<Asked> {
    if (this.#tokens === undefined) await this.#again();
    const token = this.#tokens?.access_token ?? "";
    const asked = await askTool(this.#asker, this.#origin, { token, name, args, progress });
    if (asked.ok !== false || asked.code !== "invalid_credentials") return asked;
    if (token === this.#tokens?.access_token) await this.renew();
    return { ok: null };
  }

  /** Exchanges its refresh token; an exchange whose answer is lost is made again with the same token. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewUntilAnswered().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewUntilAnswered(): Promise<void> {
    const token = this.#tokens?.refresh_token;
    if (token === undefined) return this.#again();
    const until = Date.now() + RENEWING_MS;
    while (Date.now() < until && !(await this.#renew(token))) await sleep(PAUSE_MS);
  }

  /** False where it is to be tried again. */
  async #renew(token: string): Promise<boolean> {
    const { tally, marker } = this.#asker;
    tally.requests += 1;
    let answer: { status: number; body: unknown };
    const begun = awakeMs();
    try {
      const response = await refresh(this.#origin, this.#client, token);
      tally.answered("POST /oauth/token", awakeMs() - begun, response);
      answer = { status: response.status, body: await response.json() };
    } catch (error) {
      tally.breakOff(`POST /oauth/token: ${causeOf(error)}`, marker);
      return false;
    }
    const fresh = Refreshed.safeParse(answer.body);
    if (answer.status === 200 && fresh.success) {
      this.#tokens = { token_type: "Bearer", expires_in: 0, scope: "", ...this.#tokens, ...fresh.data };
      return true;
    }
    const refused = Refused.safeParse(answer.body);
    if (refused.success && answer.status >= 500) {
      tally.fail(`POST /oauth/token: ${refused.data.error}`, marker);
      return false;
    }
    const isOver = refused.success && refused.data.error === "invalid_grant";
    if (!isOver) tally.count("unlisted", `POST /oauth/token: ${answer.status} ${JSON.stringify(answer.body)}`);
    else if (!this.#mayRunOut) tally.count("lost", `a connection: ${JSON.stringify(answer.body)}`);
    this.#tokens = undefined;
    return true;
  }

  async #again(): Promise<void> {
    const { tally, marker } = this.#asker;
    await this.connect().catch((error: unknown) => {
      const what = `signing in: ${causeOf(error)}`;
      if (this.#mayRunOut) tally.refuse(what);
      else tally.breakOff(what, marker);
    });
  }
}
