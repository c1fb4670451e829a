import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MAX_LINKS_AN_HOUR } from "../src/core/payment-links/hourly-limit.ts";
import type { Random } from "../src/gateways/erp/simulator/random.ts";
import { type Asked, type Asker, askRest } from "./ask.ts";
import { Assistant } from "./assistant.ts";
import { awakeMs } from "./awake.ts";
import { Beside } from "./beside.ts";
import type { Tally } from "./tally.ts";
import type { Part, Tenant, World } from "./world.ts";

/** A request for a link, sent under one key until it is answered for good. */
export interface LinkRequest {
  readonly tenant: Tenant;
  readonly part: Part;
  readonly key: string;
  readonly byTool: boolean;
  /** The link it was answered with. */
  linkId: string | null;
  /** What became of the link, as somebody was told: each has one fate. */
  fate: "stands" | "withdrawing" | "withdrawn" | "paid" | "ended";
  /** The provider's id of its payment, once it is paid. */
  intent: string | null;
}

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

/** The longest a load goes on, however many of its requests are left. */
export const LONGEST_LOAD_MS = 15 * 60_000;
/** How long what was not answered is sent again: the longest hold of a request that died is a minute. */
const LAST_ANSWERS_MS = 100_000;
const AGAIN_MS = 700;
/** Of a caller that was refused: what counts is what is asked of a service that works, before and after. */
const BREATH_MS = 400;
const AT_ONCE_LAST = 8;
const PROVIDER_PATIENCE_MS = 5_000;
const LAST_PULL_MS = 60_000;
const LOOK_MS = 20;

const Link = z.looseObject({ id: z.string() });
const Links = z.looseObject({ data: z.tuple([Link]) });
const Held = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), installment_id: z.string() })) });
const Started = z.looseObject({ sync_run_id: z.string() });

/**
 * Everybody who uses the service at once, each tenant's people, systems and customers: reads on both routes, links made,
 * withdrawn and paid, pulls, refreshed tokens, and tries to reach what is another tenant's; and what moves money beside the
 * straight way. What is asked is the same for the same seed; what is not answered is sent again, under its key.
 */
export class Load {
  readonly requests: LinkRequest[] = [];
  readonly runs: { readonly tenant: Tenant; readonly id: string }[] = [];
  /** The pull each tenant ends with, of an ERP that is well again. */
  readonly lastRuns: { readonly tenant: Tenant; readonly id: string }[] = [];
  readonly beside: Beside;
  readonly #options: LoadOptions;
  readonly #askers: ReadonlyMap<Tenant, Asker>;
  readonly #assistants: ReadonlyMap<Tenant, Assistant>;
  readonly #free: ReadonlyMap<Tenant, Part[]>;
  readonly #open = new Map<LinkRequest, number>();
  /** Links that assistants asked for: beyond their limit of an hour they would not be answered for long. */
  readonly #askedByTool = new Map<Tenant, number>();
  /** Held payments whose receipt was entered in the ERP, or is to be pushed. */
  readonly #decided = new Set<string>();
  #over = false;

  constructor(options: LoadOptions) {
    const { world, tally, origin, mayRunOut = false } = options;
    this.#options = options;
    this.beside = new Beside(options.random);
    this.#askers = new Map(world.tenants.map((tenant) => [tenant, { tally, foreign: foreignTo(tenant, world) }]));
    this.#assistants = new Map(
      world.tenants.map((tenant) => [tenant, new Assistant(this.#askerOf(tenant), origin, tenant, { mayRunOut })]),
    );
    this.#free = new Map(world.tenants.map((tenant) => [tenant, [...tenant.parts]]));
  }

  /** Signs everybody in. */
  async begin(): Promise<void> {
    this.#options.world.tellAt(this.#options.origin);
    for (const assistant of this.#assistants.values()) await assistant.connect();
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
    const latest = awakeMs() + LAST_ANSWERS_MS;
    while (this.#open.size > 0 && awakeMs() < latest) {
      await Promise.all([...this.#open.keys()].slice(0, AT_ONCE_LAST).map((request) => this.#settle(request)));
      if (this.#open.size > 0) await sleep(AGAIN_MS);
    }
    for (const { key } of this.#open.keys()) this.#options.tally.count("lost", `no answer to ${key}`);
    const left = this.requests.filter(({ fate }) => fate === "withdrawing");
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE_LAST).map((request) => this.#withdraw(request)));
    this.#options.tally.stage = "the last notifications";
    for (const { stripe } of this.#options.world.tenants) {
      for (let times = 0; times < 5; times += 1) {
        const told = await stripe.deliverPending();
        if (told.every((status) => status === 200)) break;
        await sleep(AGAIN_MS);
      }
    }
    this.#options.tally.stage = "the last pulls";
    for (const tenant of this.#options.world.tenants) {
      if (tenant.holds) await this.#lastReceipts(tenant);
      await this.#lastCall(tenant);
      await this.#lastPull(tenant);
    }
  }

  /** Whatever became of its tokens, an assistant is served in the end. */
  async #lastCall(tenant: Tenant): Promise<void> {
    const latest = awakeMs() + LAST_ANSWERS_MS;
    while (!(await this.#assistantOf(tenant).call("get_context", {})).ok) {
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

  #askerOf(tenant: Tenant): Asker {
    const asker = this.#askers.get(tenant);
    if (asker === undefined) throw new Error("no such tenant");
    return asker;
  }

  async #step(): Promise<void> {
    const { random, world } = this.#options;
    const tenant = random.pick(world.tenants);
    const due = [...this.#open].find(([, at]) => at < Date.now());
    if (due !== undefined && random.chance(50)) return this.#settle(due[0]);
    const turn = random.between(1, 100);
    if (turn <= 26) return this.#read(tenant);
    if (turn <= 42) return this.#readByTool(tenant);
    if (turn <= 67) return this.#ask(tenant);
    if (turn <= 74) return this.#withdrawOne(tenant);
    if (turn <= 82) return this.#pay(tenant);
    if (turn <= 85) return this.#changeErp(tenant);
    if (turn <= 88) return this.#takeBack(tenant);
    if (turn <= 91) return this.#receipts(tenant);
    if (turn <= 93) return this.sync(tenant);
    if (turn <= 94) return this.#assistantOf(tenant).renew();
    return this.#trespass(tenant);
  }

  #assistantOf(tenant: Tenant): Assistant {
    const assistant = this.#assistants.get(tenant);
    if (assistant === undefined) throw new Error("no such tenant");
    return assistant;
  }

  #rest(tenant: Tenant, path: string, json?: object, headers: Record<string, string> = {}): Promise<Asked> {
    const url = `${this.#options.origin}${path}`;
    return askRest(this.#askerOf(tenant), url, {
      key: tenant.key,
      headers,
      ...(json === undefined ? {} : { json }),
    });
  }

  /** A request that can only be answered well. */
  #demand(what: string, asked: Asked): boolean {
    if (asked.ok === false) this.#options.tally.count("lost", `${what}: ${asked.code}, ${asked.message}`);
    return asked.ok === true;
  }

  async #read(tenant: Tenant): Promise<void> {
    const { random } = this.#options;
    const link = this.#answered(tenant, () => true);
    const path = random.pick([
      "/v1/me",
      "/v1/invoices?limit=50",
      `/v1/invoices/${this.#anyPart(tenant).invoiceId}`,
      "/v1/aging/summary",
      "/v1/aging/installments?limit=20",
      "/v1/payments?limit=30",
      ...(link === undefined ? [] : [`/v1/payment-links/${link.linkId}`]),
    ]);
    this.#demand(path, await this.#rest(tenant, path));
  }

  async #readByTool(tenant: Tenant): Promise<void> {
    const name = this.#options.random.pick(["get_context", "list_invoices", "summarize_aging", "list_payments"]);
    this.#demand(name, await this.#assistantOf(tenant).call(name, {}));
  }

  /** Asks for a link of a part nobody asked for before. */
  async #ask(tenant: Tenant): Promise<void> {
    const part = this.#free.get(tenant)?.pop();
    if (part === undefined) return this.#read(tenant);
    const key = `${tenant.marker} ${part.installmentId}`;
    const asked = this.#askedByTool.get(tenant) ?? 0;
    const byTool = this.#options.random.chance(40) && asked < MAX_LINKS_AN_HOUR;
    if (byTool) this.#askedByTool.set(tenant, asked + 1);
    const request: LinkRequest = { tenant, part, key, byTool, linkId: null, fate: "stands", intent: null };
    this.requests.push(request);
    this.#open.set(request, Number.POSITIVE_INFINITY);
    await this.#settle(request);
  }

  async #settle(request: LinkRequest): Promise<void> {
    this.#open.set(request, Number.POSITIVE_INFINITY);
    const { tenant, part, key, byTool } = request;
    const link = { invoice_id: part.invoiceId, installment_id: part.installmentId };
    const asked = byTool
      ? await this.#assistantOf(tenant).call("create_payment_links", { links: [link], idempotency_key: key }, true)
      : await this.#rest(tenant, "/v1/payment-links", link, { "Idempotency-Key": key });
    if (asked.ok === null) return void this.#open.set(request, Date.now() + AGAIN_MS);
    if (this.#demand(`a link for ${key}`, asked) && asked.ok === true)
      request.linkId = byTool ? Links.parse(asked.body).data[0].id : Link.parse(asked.body).id;
    this.#open.delete(request);
  }

  async #withdrawOne(tenant: Tenant): Promise<void> {
    const request = this.#answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined) return this.#read(tenant);
    request.fate = "withdrawing";
    await this.#withdraw(request);
  }

  async #withdraw(request: LinkRequest): Promise<void> {
    const asked = await this.#rest(request.tenant, `/v1/payment-links/${request.linkId}/deactivate`, {});
    if (this.#demand(`withdrawing ${request.linkId}`, asked)) request.fate = "withdrawn";
  }

  async #pay(tenant: Tenant): Promise<void> {
    const request = this.#answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined || request.linkId === null) return this.#read(tenant);
    request.fate = "paid";
    this.#options.tally.requests += 1;
    const begun = performance.now();
    const { deliveries, paymentIntent } = await tenant.stripe.pay(request.linkId, { lost: this.beside.loses() });
    request.intent = paymentIntent;
    this.#told(deliveries, performance.now() - begun);
  }

  #told(deliveries: readonly number[], took: number): void {
    const what = `a notification, answered ${deliveries.join(", ")} after ${Math.round(took)} ms`;
    // The provider waits no longer, whatever the service does; it tells again.
    if (deliveries.some((status) => status === 0)) {
      if (took < PROVIDER_PATIENCE_MS) this.#options.tally.breakOff(what);
    } else if (deliveries.some((status) => status !== 200)) this.#options.tally.refuse(what);
  }

  /** The next pull finds that a live link asks for what nobody owes any more, or what is disputed. */
  async #changeErp(tenant: Tenant): Promise<void> {
    const request = this.#answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined || request.linkId === null) return this.#read(tenant);
    request.fate = "ended";
    this.beside.changeErp(tenant, request.part, request.linkId);
  }

  async #takeBack(tenant: Tenant): Promise<void> {
    const request = this.#answered(tenant, ({ intent }) => intent !== null);
    if (request === undefined || request.intent === null) return this.#read(tenant);
    this.#options.tally.requests += 1;
    const begun = performance.now();
    const answers = await this.beside.takeBack(tenant, request.intent);
    this.#told(answers, performance.now() - begun);
  }

  /** People enter some held receipts in the ERP, and then somebody who does not know has them all pushed. */
  async #receipts(tenant: Tenant): Promise<void> {
    if (!tenant.holds) return this.#read(tenant);
    const asked = await this.#rest(tenant, "/v1/payments?erp_push_status=held&limit=20");
    if (!this.#demand("held payments", asked) || asked.ok !== true) return;
    for (const { id, installment_id } of Held.parse(asked.body).data) {
      const part = tenant.parts.find(({ installmentId }) => installmentId === installment_id);
      if (part === undefined) continue;
      if (!this.#decided.has(id)) {
        this.#decided.add(id);
        // Before it is pushed, for what the ERP has not got yet nobody can tell apart.
        if (this.#options.random.chance(50)) this.beside.enter(tenant, part, id);
      }
      const headers = { "Idempotency-Key": `push ${id}` };
      const pushed = await this.#rest(tenant, "/v1/payments/push-held", { payment_ids: [id] }, headers);
      // Not held any more where two callers were at it.
      if (pushed.ok === false && pushed.code !== "conflict") this.#demand("pushing what is held", pushed);
    }
  }

  async #lastReceipts(tenant: Tenant): Promise<void> {
    const latest = awakeMs() + LAST_ANSWERS_MS;
    for (let held = true; held && awakeMs() < latest; ) {
      await this.#receipts(tenant);
      const asked = await this.#rest(tenant, "/v1/payments?erp_push_status=held&limit=20");
      held = asked.ok !== true || Held.parse(asked.body).data.length > 0;
      if (held) await sleep(AGAIN_MS);
    }
  }

  /** Has a pull started; one that is under way is let be. */
  async sync(tenant: Tenant): Promise<void> {
    const asked = await this.#rest(tenant, `/v1/erp-connections/${tenant.connectionId}/sync`, {});
    if (asked.ok === true) this.runs.push({ tenant, id: Started.parse(asked.body).sync_run_id });
  }

  /** Somebody asks for what is another tenant's: there is no such thing. */
  async #trespass(tenant: Tenant): Promise<void> {
    const { tenants } = this.#options.world;
    const other = tenants[(tenants.indexOf(tenant) + 1) % tenants.length];
    if (other === undefined || other === tenant) return;
    const link = this.#answered(other, () => true);
    const path =
      link === undefined || this.#options.random.chance(50)
        ? `/v1/invoices/${this.#anyPart(other).invoiceId}`
        : `/v1/payment-links/${link.linkId}`;
    const asked = await this.#rest(tenant, path);
    if (asked.ok === true || (asked.ok === false && asked.code !== "not_found"))
      this.#options.tally.count("crossTenant", `${path} was answered`);
  }

  #anyPart(tenant: Tenant): Part {
    const part = tenant.parts[this.#options.random.between(0, tenant.parts.length - 1)];
    if (part === undefined) throw new Error("a tenant has parts");
    return part;
  }

  /** One of the latest answered requests of a tenant that is so. */
  #answered(tenant: Tenant, is: (request: LinkRequest) => boolean): LinkRequest | undefined {
    const own = this.requests.filter((one) => one.tenant === tenant && one.linkId !== null && is(one)).slice(-20);
    return own.length === 0 ? undefined : own[this.#options.random.between(0, own.length - 1)];
  }
}

/** What a tenant must never read. */
function foreignTo(tenant: Tenant, { tenants }: World): string[] {
  const others = tenants.filter((one) => one !== tenant);
  return others.flatMap((one) => [one.id, one.marker, one.connectionId, one.integrationId, one.email]);
}
