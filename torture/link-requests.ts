import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { MAX_LINKS_AN_HOUR } from "../src/core/payment-links/issuing/reserve-links.ts";
import type { Random } from "../src/simulators/fusion/random.ts";
import { awakeMs } from "./awake.ts";
import type { Callers } from "./callers.ts";
import { AGAIN_MS, AT_ONCE_LAST, LAST_ANSWERS_MS } from "./patience.ts";
import type { Tally } from "./tally.ts";
import type { Part, Tenant } from "./tenant.ts";

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

/** One that was answered. */
export type AnsweredRequest = LinkRequest & { readonly linkId: string };

interface LinkRequestsOptions {
  readonly tenants: readonly Tenant[];
  readonly callers: Callers;
  readonly tally: Tally;
  readonly random: Random;
}

const LATEST = 20;
const Link = z.looseObject({ id: z.string() });
const Links = z.looseObject({ data: z.tuple([Link]) });

/** Links that are asked for, one for each part, and withdrawn; what is not answered is sent again, under its key. */
export class LinkRequests {
  readonly all: LinkRequest[] = [];
  readonly #options: LinkRequestsOptions;
  readonly #free: ReadonlyMap<Tenant, Part[]>;
  /** Without an answer for good, and when each is sent again. */
  readonly #open = new Map<LinkRequest, number>();
  /** Links that assistants asked for: beyond their limit of an hour they would not be answered for long. */
  readonly #askedByTool = new Map<Tenant, number>();

  constructor(options: LinkRequestsOptions) {
    this.#options = options;
    this.#free = new Map(options.tenants.map((tenant) => [tenant, [...tenant.parts]]));
  }

  /** One that is to be sent again by now. */
  get due(): LinkRequest | undefined {
    return [...this.#open].find(([, at]) => at < Date.now())?.[0];
  }

  /** One of the latest answered requests of a tenant that is so. */
  answered(tenant: Tenant, is: (request: LinkRequest) => boolean): AnsweredRequest | undefined {
    const isAnswered = (one: LinkRequest): one is AnsweredRequest => one.linkId !== null;
    const own = this.all
      .filter((one) => one.tenant === tenant && is(one))
      .filter(isAnswered)
      .slice(-LATEST);
    return own.length === 0 ? undefined : own[this.#options.random.between(0, own.length - 1)];
  }

  /** Asks for a link of a part nobody asked for before; false where there is none. */
  async ask(tenant: Tenant): Promise<boolean> {
    const part = this.#free.get(tenant)?.pop();
    if (part === undefined) return false;
    const key = `${tenant.marker} ${part.installmentId}`;
    const asked = this.#askedByTool.get(tenant) ?? 0;
    const byTool = this.#options.random.chance(40) && asked < MAX_LINKS_AN_HOUR;
    if (byTool) this.#askedByTool.set(tenant, asked + 1);
    const request: LinkRequest = { tenant, part, key, byTool, linkId: null, fate: "stands", intent: null };
    this.all.push(request);
    await this.send(request);
    return true;
  }

  async send(request: LinkRequest): Promise<void> {
    this.#open.set(request, Number.POSITIVE_INFINITY);
    const { callers } = this.#options;
    const { tenant, part, key, byTool } = request;
    const link = { invoice_id: part.invoiceId, installment_id: part.installmentId };
    const asked = byTool
      ? await callers.assistantOf(tenant).call("create_payment_links", { links: [link], idempotency_key: key }, true)
      : await callers.rest(tenant, "/v1/payment-links", link, { "Idempotency-Key": key });
    if (asked.ok === null) return void this.#open.set(request, Date.now() + AGAIN_MS);
    if (callers.demand(`a link for ${key}`, asked) && asked.ok === true)
      request.linkId = byTool ? Links.parse(asked.body).data[0].id : Link.parse(asked.body).id;
    this.#open.delete(request);
  }

  /** Withdraws a link that stands; false where there is none. */
  async withdrawOne(tenant: Tenant): Promise<boolean> {
    const request = this.answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined) return false;
    request.fate = "withdrawing";
    await this.#withdraw(request);
    return true;
  }

  async #withdraw(request: LinkRequest): Promise<void> {
    const { callers } = this.#options;
    const asked = await callers.rest(request.tenant, `/v1/payment-links/${request.linkId}/deactivate`, {});
    if (callers.demand(`withdrawing ${request.linkId}`, asked)) request.fate = "withdrawn";
  }

  /** Sends again whatever has no answer yet; what has none in the end is lost. */
  async finish(): Promise<void> {
    const latest = awakeMs() + LAST_ANSWERS_MS;
    while (this.#open.size > 0 && awakeMs() < latest) {
      await Promise.all([...this.#open.keys()].slice(0, AT_ONCE_LAST).map((request) => this.send(request)));
      if (this.#open.size > 0) await sleep(AGAIN_MS);
    }
    for (const { key } of this.#open.keys()) this.#options.tally.count("lost", `no answer to ${key}`);
    const left = this.all.filter(({ fate }) => fate === "withdrawing");
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE_LAST).map((request) => this.#withdraw(request)));
  }
}
