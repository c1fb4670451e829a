import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Random } from "../src/simulators/fusion/random.ts";
import { awakeMs } from "./awake.ts";
import { Beside } from "./beside.ts";
import { Callers } from "./callers.ts";
import { type LinkRequest, LinkRequests } from "./link-requests.ts";
import { MoneyMoves } from "./money-moves.ts";
import { AGAIN_MS, LAST_ANSWERS_MS } from "./patience.ts";
import { Reads } from "./reads.ts";
import type { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";
import type { World } from "./world.ts";

export interface LoadOptions {
  readonly world: World;
  readonly origin: string;
  readonly tally: Tally;
  readonly random: Random;
  /** Requests that are sent, besides those that are sent again at the end. */
  readonly requests: number;
  readonly atOnce: number;
  /** Whether refresh tokens may run out. */
  readonly mayRunOut?: boolean;
}

/** A pull that somebody started. */
interface StartedPull {
  readonly tenant: Tenant;
  readonly id: string;
}

/** The longest a load goes on, however many of its requests are left. */
export const LONGEST_LOAD_MS = 15 * 60_000;
/** Of a caller that was refused: what counts is what is asked of a service that works, before and after. */
const BREATH_MS = 400;
const LAST_PULL_MS = 60_000;
const LOOK_MS = 20;

const Started = z.looseObject({ sync_run_id: z.string() });

/**
 * Everybody who uses the service at once, each tenant's people, systems and customers: reads on both routes, links made,
 * withdrawn and paid, pulls, refreshed tokens, and tries to reach what is another tenant's; and what moves money beside the
 * straight way. What is asked is the same for the same seed; what is not answered is sent again, under its key.
 */
export class Load {
  readonly runs: StartedPull[] = [];
  /** The pull each tenant ends with, of an ERP that is well again. */
  readonly lastRuns: StartedPull[] = [];
  readonly beside: Beside;
  readonly #options: LoadOptions;
  readonly #callers: Callers;
  readonly #links: LinkRequests;
  readonly #reads: Reads;
  readonly #money: MoneyMoves;
  #over = false;

  constructor(options: LoadOptions) {
    const { world, tally, random, origin, mayRunOut = false } = options;
    const { tenants } = world;
    this.#options = options;
    this.beside = new Beside(random);
    const callers = new Callers({ world, origin, tally, mayRunOut });
    const links = new LinkRequests({ tenants, callers, tally, random });
    this.#callers = callers;
    this.#links = links;
    this.#reads = new Reads({ tenants, callers, links, tally, random });
    this.#money = new MoneyMoves({ callers, links, beside: this.beside, tally, random });
  }

  /** Every link that was asked for. */
  get requests(): readonly LinkRequest[] {
    return this.#links.all;
  }

  /** Signs everybody in. */
  async begin(): Promise<void> {
    this.#options.world.tellAt(this.#options.origin);
    await this.#callers.connect();
  }

  /** Whether no more is sent than what is sent again. */
  get over(): boolean {
    return this.#over;
  }

  /** Resolves once so many more requests were sent, or no more are. */
  async further(requests: number): Promise<void> {
    const until = this.#options.tally.requests + requests;
    while (this.#options.tally.requests < until && !this.#over) await sleep(LOOK_MS);
  }

  /** Sends it all. */
  async run(): Promise<void> {
    const { tally, requests, atOnce } = this.#options;
    const latest = awakeMs() + LONGEST_LOAD_MS;
    const goesOn = (): boolean => tally.requests < requests && awakeMs() < latest;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (goesOn()) {
          const before = tally.failed + tally.cut;
          await this.#step();
          // Whoever is refused draws breath.
          if (tally.failed + tally.cut > before) await sleep(BREATH_MS);
        }
      }),
    );
    this.#over = true;
    if (tally.requests < requests) tally.notes.push(`${requests - tally.requests} requests were left out for time`);
  }

  /** Sends again whatever has no answer yet, and has providers tell what nobody took. */
  async finish(): Promise<void> {
    const { world, tally } = this.#options;
    await this.#links.finish();
    tally.stage = "the last notifications";
    for (const tenant of world.tenants) await this.#money.tellPending(tenant);
    tally.stage = "the last pulls";
    for (const tenant of world.tenants) {
      await this.#money.pushLastHeld(tenant);
      await this.#lastCall(tenant);
      await this.#lastPull(tenant);
    }
  }

  /** Whatever became of its tokens, an assistant is served in the end. */
  async #lastCall(tenant: Tenant): Promise<void> {
    const latest = awakeMs() + LAST_ANSWERS_MS;
    while (!(await this.#callers.assistantOf(tenant).call("get_context", {})).ok) {
      if (awakeMs() > latest) return this.#options.tally.count("lost", `the assistant of ${tenant.marker}`);
      await sleep(AGAIN_MS);
    }
  }

  /** One more pull once the one in flight, if any, is over; a worker that died is believed alive for 20 s. */
  async #lastPull(tenant: Tenant): Promise<void> {
    const latest = awakeMs() + LAST_PULL_MS;
    const before = this.runs.length;
    while (this.runs.length === before && awakeMs() < latest) {
      await this.sync(tenant);
      await sleep(AGAIN_MS);
    }
    const last = this.runs.at(-1);
    if (this.runs.length > before && last !== undefined) this.lastRuns.push(last);
    else this.#options.tally.count("lost", "a last pull could not be started");
  }

  async #step(): Promise<void> {
    const { random, world } = this.#options;
    const tenant = random.pick(world.tenants);
    const { due } = this.#links;
    if (due !== undefined && random.chance(50)) return this.#links.send(due);
    const turn = random.between(1, 100);
    if (turn <= 24) return this.#reads.byKey(tenant);
    if (turn <= 26) return this.#bill();
    if (turn <= 42) return this.#reads.byTool(tenant);
    if (turn > 94) return this.#reads.trespass(tenant);
    if (turn > 93) return this.#callers.assistantOf(tenant).renew();
    if (turn > 91) return this.sync(tenant);
    // Where there is nothing to do it to, something is read instead.
    if (!(await this.#act(tenant, turn))) await this.#reads.byKey(tenant);
  }

  /** The ERP bills customers who are mailed, and is pulled. */
  async #bill(): Promise<void> {
    const { world, random } = this.#options;
    world.mailing.bill(random);
    await this.sync(world.mailing.tenant);
  }

  /** False where there is nothing to do it to. */
  async #act(tenant: Tenant, turn: number): Promise<boolean> {
    if (turn <= 67) return this.#links.ask(tenant);
    if (turn <= 74) return this.#links.withdrawOne(tenant);
    if (turn <= 82) return this.#money.pay(tenant);
    if (turn <= 85) return this.#money.changeErp(tenant);
    if (turn <= 88) return this.#money.takeBack(tenant);
    return this.#money.pushHeld(tenant);
  }

  /** Has a pull started; one that is under way goes on. */
  async sync(tenant: Tenant): Promise<void> {
    const asked = await this.#callers.rest(tenant, `/v1/erp-connections/${tenant.connectionId}/sync`, {});
    if (asked.ok === true) this.runs.push({ tenant, id: Started.parse(asked.body).sync_run_id });
  }
}
