import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Random } from "../src/simulators/fusion/random.ts";
import { awakeMs } from "./awake.ts";
import type { Beside } from "./beside.ts";
import type { Callers } from "./callers.ts";
import type { LinkRequests } from "./link-requests.ts";
import { AGAIN_MS, LAST_ANSWERS_MS } from "./patience.ts";
import type { Tally } from "./tally.ts";
import type { Tenant } from "./tenant.ts";

interface MoneyMovesOptions {
  readonly callers: Callers;
  readonly links: LinkRequests;
  readonly beside: Beside;
  readonly tally: Tally;
  readonly random: Random;
}

const PROVIDER_PATIENCE_MS = 5_000;
const TOLD_AGAIN = 5;
const HELD = "/v1/payments?erp_push_status=held&limit=20";
const Held = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), installment_id: z.string() })) });

/** Money that moves: paid through links, taken back, paid in the ERP, and held receipts that are pushed or entered there. */
export class MoneyMoves {
  readonly #options: MoneyMovesOptions;
  /** Held payments whose receipt was entered in the ERP, or is to be pushed. */
  readonly #decided = new Set<string>();

  constructor(options: MoneyMovesOptions) {
    this.#options = options;
  }

  /** A customer pays a link that stands; false where there is none. */
  async pay(tenant: Tenant): Promise<boolean> {
    const { links, tally, beside } = this.#options;
    const request = links.answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined) return false;
    request.fate = "paid";
    tally.requests += 1;
    const begun = performance.now();
    const { deliveries, paymentIntent } = await tenant.stripe.pay(request.linkId, { lost: beside.loses() });
    request.intent = paymentIntent;
    this.#told(deliveries, performance.now() - begun);
    return true;
  }

  /** The next pull finds that a live link asks for what nobody owes any more, or what is disputed; false without one. */
  changeErp(tenant: Tenant): boolean {
    const { links, beside } = this.#options;
    const request = links.answered(tenant, ({ fate }) => fate === "stands");
    if (request === undefined) return false;
    request.fate = "ended";
    beside.changeErp(tenant, request.part, request.linkId);
    return true;
  }

  /** A payment is refunded or disputed; false where there is none. */
  async takeBack(tenant: Tenant): Promise<boolean> {
    const { links, tally, beside } = this.#options;
    const request = links.answered(tenant, ({ intent }) => intent !== null);
    if (request === undefined || request.intent === null) return false;
    tally.requests += 1;
    const begun = performance.now();
    const answers = await beside.takeBack(tenant, request.intent);
    this.#told(answers, performance.now() - begun);
    return true;
  }

  #told(deliveries: readonly number[], took: number): void {
    const { tally } = this.#options;
    const what = `a notification, answered ${deliveries.join(", ")} after ${Math.round(took)} ms`;
    // The provider waits no longer, whatever the service does; it tells again.
    if (deliveries.some((status) => status === 0)) {
      if (took < PROVIDER_PATIENCE_MS) tally.breakOff(what);
    } else if (deliveries.some((status) => status !== 200)) tally.refuse(what);
  }

  /** People enter some held receipts in the ERP, and then somebody who does not know has them all pushed; false where none are held. */
  async pushHeld(tenant: Tenant): Promise<boolean> {
    if (!tenant.holds) return false;
    const { callers, beside, random } = this.#options;
    const asked = await callers.rest(tenant, HELD);
    if (!callers.demand("held payments", asked) || asked.ok !== true) return true;
    for (const { id, installment_id } of Held.parse(asked.body).data) {
      const part = tenant.parts.find(({ installmentId }) => installmentId === installment_id);
      if (part === undefined) continue;
      if (!this.#decided.has(id)) {
        this.#decided.add(id);
        // Before it is pushed, for what the ERP has not got yet nobody can tell apart.
        if (random.chance(50)) beside.enter(tenant, part, id);
      }
      const headers = { "Idempotency-Key": `push ${id}` };
      const pushed = await callers.rest(tenant, "/v1/payments/push-held", { payment_ids: [id] }, headers);
      // Not held any more where two callers were at it.
      if (pushed.ok === false && pushed.code !== "conflict") callers.demand("pushing what is held", pushed);
    }
    return true;
  }

  /** Until nothing is held any more. */
  async pushLastHeld(tenant: Tenant): Promise<void> {
    const latest = awakeMs() + LAST_ANSWERS_MS;
    for (let held = tenant.holds; held && awakeMs() < latest; ) {
      await this.pushHeld(tenant);
      const asked = await this.#options.callers.rest(tenant, HELD);
      held = asked.ok !== true || Held.parse(asked.body).data.length > 0;
      if (held) await sleep(AGAIN_MS);
    }
  }

  /** Has a tenant's provider tell what nobody took. */
  async tellPending({ stripe }: Tenant): Promise<void> {
    for (let times = 0; times < TOLD_AGAIN; times += 1) {
      const told = await stripe.deliverPending();
      if (told.every((status) => status === 200)) break;
      await sleep(AGAIN_MS);
    }
  }
}
