import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { FusionSimulator } from "../../src/simulators/fusion/index.ts";
import type { SimulatedLink, StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { erpInvoice } from "./pushes.ts";
import { send } from "./rest-app.ts";
import type { Accepted } from "./slow-smtp-server.ts";

const PAUSE_MS = 40;
const CUSTOMERS_AT_ONCE = 4;
/** A customer who has no mail after so long pays through a link that came otherwise. */
const MAIL_AWAITED_MS = 600;

const Found = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Parts = z.looseObject({ id: z.string(), installments: z.array(z.looseObject({ id: z.string() })) });
const Made = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Scheduled = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), email: z.looseObject({ status: z.string() }).nullable() })),
});

interface World {
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly accepted: readonly Accepted[];
  readonly key: string;
  readonly connectionId: string;
  /** Milliseconds the service's clock is ahead. */
  readonly aheadMs: () => number;
}

/** A request for links: sent again under its own key until it is answered. */
interface LinksRequest {
  readonly number: string;
  body: object | null;
  answer: readonly string[] | null;
}

/** What becomes of a link, decided when it is first seen. */
interface Fate {
  readonly does: "pays" | "withdraws" | "waits";
  readonly since: number;
  done: boolean;
}

/**
 * Everybody around the service, for as long as it answers: the ERP bills, an API client asks for links and moves their
 * emails up, customers pay, somebody withdraws a link. Nothing here is lost with the service: an unanswered request is
 * sent again, with its key, to whoever serves next.
 */
export class Traffic {
  readonly requests: LinksRequest[] = [];
  /** What clients were told that they should not have been. */
  readonly complaints: string[] = [];
  readonly #world: World;
  readonly #fates = new Map<string, Fate>();
  readonly #hurried = new Set<string>();
  #bills = 0;
  #url = "";

  constructor(world: World) {
    this.#world = world;
  }

  /** Three new invoices: two for Auto Generate, and one so large that a person is asked and a client makes its links. */
  bill(): void {
    const number = this.#bills++;
    const large = `large-${number}`;
    this.#world.erp.putInvoices(
      erpInvoice(`small-${number}`, [10_000n + BigInt(number)]),
      erpInvoice(`other-${number}`, [20_000n + BigInt(number)]),
      erpInvoice(large, [300_000n, 400_000n + BigInt(number)]),
    );
    this.requests.push({ number: large, body: null, answer: null });
  }

  /** What somebody still waits for. */
  get open(): string[] {
    const unanswered = this.requests.filter(({ answer }) => answer === null).map(({ number }) => number);
    const unmoved = [...this.#fates].flatMap(([id, { does, done }]) => (done ? [] : [`${id} ${does}`]));
    return [...unanswered, ...unmoved];
  }

  /** Goes on until `end`; what the service does not answer is left for the next life. */
  async run(url: string, end: AbortSignal): Promise<void> {
    this.#url = url;
    for (const [id, { does }] of this.#fates) if (does === "waits") this.#fates.delete(id);
    const turns = [() => this.#pull(), () => this.#askForLinks(), () => this.#hurryMails(), () => this.#customers()];
    await Promise.all(
      turns.map(async (turn) => {
        while (!end.aborted) {
          await turn().catch((error: unknown) => {
            // A connection that breaks is what killing a service looks like from outside.
            if (!(error instanceof TypeError)) this.complaints.push(String(error));
          });
          await sleep(PAUSE_MS);
        }
      }),
    );
  }

  #post(path: string, json: object = {}, key?: string): ReturnType<typeof send> {
    const headers = key === undefined ? {} : { "Idempotency-Key": key };
    return send(`${this.#url}${path}`, { method: "POST", key: this.#world.key, json, headers });
  }

  #get(path: string): ReturnType<typeof send> {
    return send(`${this.#url}${path}`, { key: this.#world.key });
  }

  async #pull(): Promise<void> {
    await this.#post(`/v1/erp-connections/${this.#world.connectionId}/sync`);
    await sleep(150);
  }

  async #askForLinks(): Promise<void> {
    for (const request of this.requests.filter(({ answer }) => answer === null)) {
      request.body ??= await this.#partsOf(request.number);
      if (request.body === null) continue;
      const { status, body, text } = await this.#post("/v1/payment-links/batch", request.body, request.number);
      if (status === 201) request.answer = Made.parse(body).data.map(({ id }) => id);
      else this.complaints.push(`${request.number}: ${text}`);
    }
  }

  async #partsOf(number: string): Promise<object | null> {
    const [found] = Found.parse((await this.#get(`/v1/invoices?invoice_number=${number}`)).body).data;
    if (found === undefined) return null;
    // Once it has its task, Auto Generate keeps away from it.
    const tasks = Found.parse((await this.#get(`/v1/tasks?invoice_id=${found.id}`)).body).data;
    if (tasks.length === 0) return null;
    const { id, installments } = Parts.parse((await this.#get(`/v1/invoices/${found.id}`)).body);
    return { links: installments.map((part) => ({ invoice_id: id, installment_id: part.id })) };
  }

  async #hurryMails(): Promise<void> {
    const { data } = Scheduled.parse((await this.#get("/v1/payment-links?status=active&limit=100")).body);
    for (const { id } of data.filter((link) => link.email?.status === "scheduled" && !this.#hurried.has(link.id))) {
      this.#hurried.add(id);
      const at = new Date(Date.now() + this.#world.aheadMs() + 300).toISOString();
      await this.#post(`/v1/payment-links/${id}/email/reschedule`, { send_at: at });
    }
  }

  async #customers(): Promise<void> {
    for (const { active, id } of this.#world.stripe.links) if (!active) this.#fates.delete(id);
    const open = this.#world.stripe.links.filter(({ active, completed }) => active && completed === 0);
    const ready = open.filter((link) => {
      const { done, since } = this.#fateOf(link);
      return !done && this.#isTime(link, since);
    });
    await Promise.all(ready.slice(0, CUSTOMERS_AT_ONCE).map((link) => this.#meetFate(link)));
  }

  async #meetFate(link: SimulatedLink): Promise<void> {
    const fate = this.#fateOf(link);
    if (fate.does === "pays") {
      fate.done = true;
      await this.#world.stripe.pay(link.id);
    } else {
      const { status } = await this.#post(`/v1/payment-links/${ourId(link)}/deactivate`);
      fate.done = status === 200;
    }
  }

  #fateOf({ id }: SimulatedLink): Fate {
    const known = this.#fates.get(id);
    if (known !== undefined) return known;
    const chance = Math.random();
    const does = chance < 0.65 ? "pays" : chance < 0.8 ? "withdraws" : "waits";
    const fate: Fate = { does, since: Date.now(), done: does === "waits" };
    this.#fates.set(id, fate);
    return fate;
  }

  #isTime(link: SimulatedLink, since: number): boolean {
    const isMailed = this.#world.accepted.some(({ text }) => text.includes(link.id));
    return isMailed || Date.now() - since > MAIL_AWAITED_MS;
  }
}

/** The service's own id of a link at the provider. */
export const ourId = ({ metadata }: Pick<SimulatedLink, "metadata">): string => Object.values(metadata)[0] ?? "";
