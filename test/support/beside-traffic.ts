import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { seededRandom } from "../../src/simulators/fusion/random.ts";
import type { SessionRecord } from "../../src/simulators/stripe/checkout.ts";
import type { SimulatedLink, StripeSimulator } from "../../src/simulators/stripe/index.ts";
import { erpInvoice } from "./pushes.ts";
import { send } from "./rest-app.ts";
import type { Accepted } from "./slow-smtp-server.ts";

const PAUSE_MS = 40;
const AT_ONCE = 4;
/** More than any debt that gets a link, in minor units. */
export const LARGE = 90_000_000n;
/** A reversal of a receipt, a refund or a dispute: at most so many a turn. */
const TURNS_BETWEEN_EVENTS = 6;

/** What becomes of a debt that has a link and an open checkout. */
export type Fate = "paid" | "paid_in_erp" | "disputed_in_erp" | "gone_from_erp" | "withdrawn" | "open";

/** One installment of an invoice in the ERP; no two ask for the same amount. */
export interface Debt {
  readonly invoice: string;
  readonly installment: number;
  readonly amountMinor: bigint;
  readonly fate: Fate;
  /** Until its customer has the mail, nobody does anything. */
  readonly waitsForMail: boolean;
  /** What the ERP's own user has entered for it. */
  enteredAs: string | null;
}

interface World {
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly accepted: readonly Accepted[];
  readonly key: string;
  readonly connectionId: string;
}

const Payments = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), amount_minor: z.int() })) });
const Run = z.looseObject({ sync_run_id: z.string() });
const RunStatus = z.looseObject({ status: z.string() });

/**
 * What happens beside the straight way, around a service that is killed now and then: the ERP's users enter receipts,
 * dispute, delete and reverse under live links, Stripe loses notifications, banks refund and dispute, and operators look
 * after the receipts that need somebody. Nothing of it is lost with the service.
 */
export class BesideTraffic {
  /** By what they ask for, in minor units. */
  readonly debts = new Map<bigint, Debt>();
  readonly sessions: SessionRecord[] = [];
  /** Refunded by payment intent, in minor units. */
  readonly refunded = new Map<string, bigint>();
  readonly disputed = new Map<string, boolean>();
  /** Numbers of the receipts that the ERP's users entered. */
  readonly entered = new Set<string>();
  readonly complaints: string[] = [];
  /** Answered requests of operators. */
  cared = 0;
  /** No more debts are paid, refunded or reversed of itself: what is under way ends. */
  windsDown = false;
  readonly #world: World;
  readonly #draws = seededRandom(20_261_126);
  readonly #opened = new Map<string, SessionRecord>();
  readonly #done = new Set<string>();
  readonly #late: SessionRecord[] = [];
  /** By payment intent. */
  readonly #paid: string[] = [];
  readonly #retries = new Map<string, number>();
  #bills = 0;
  #nextAmount = 10_001n;
  #turns = 0;
  #url = "";
  /** Acts at once in this life, whatever its mails. */
  #hurries: ReadonlySet<Fate> = new Set();

  constructor(world: World) {
    this.#world = world;
  }

  /** A new customer with three invoices, and one so large that a person is asked instead. */
  bill(): void {
    const n = this.#bills++;
    const fates = this.#draws.pick<Fate>(["paid_in_erp", "disputed_in_erp", "gone_from_erp"]);
    this.#billOne(n, "two", ["paid", "paid"]);
    this.#billOne(n, "erp", [fates]);
    this.#billOne(n, "any", [this.#draws.pick<Fate>(["paid", "withdrawn", "open", "paid_in_erp"])]);
    const customer = customerOf(n);
    this.#world.erp.putInvoices(erpInvoice(`large-${n}`, [LARGE + BigInt(n)], { customer }));
    const PrimaryContactEmail = `ap@c${n}.example`;
    this.#world.erp.putAccounts({ PartyId: customer.partyId, PrimaryContactName: "Jo", PrimaryContactEmail });
  }

  #billOne(n: number, kind: string, fates: readonly Fate[]): void {
    const invoice = `${kind}-${n}`;
    const parts = fates.map((fate, index) => {
      const amountMinor = this.#nextAmount++;
      const waitsForMail = this.#draws.chance(60);
      this.debts.set(amountMinor, {
        ...{ invoice, installment: index + 1, amountMinor, fate, waitsForMail, enteredAs: null },
      });
      return amountMinor;
    });
    this.#world.erp.putInvoices(erpInvoice(invoice, parts, { customer: customerOf(n) }));
  }

  /** Customers pay some links that are open, and Stripe's notifications of it are lost. */
  async payUnnoticed(): Promise<void> {
    for (const link of this.#ready(new Set<Fate>(["paid"])).slice(0, 2 * AT_ONCE)) {
      const session = this.#openOf(link);
      if (session !== undefined) await this.#complete(link.id, session, true);
    }
  }

  /** What somebody still waits for. */
  get open(): string[] {
    const links = this.#ready(new Set(FATES)).map(({ id }) => id);
    return [...links, ...this.#late.map(({ id }) => `late ${id}`)];
  }

  /** Goes on until `end`; what the service does not answer is left for the next life. */
  async run(url: string, end: AbortSignal, hurries: readonly Fate[]): Promise<void> {
    this.#url = url;
    this.#hurries = new Set(hurries);
    const turns = [() => this.#sync(), () => this.#links(), () => this.#aside(), () => this.#receipts()];
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

  /** Operators go on until no receipt needs one, and the ERP is pulled once more after each. */
  async settleReceipts(): Promise<void> {
    for (let calm = 0; calm < 3; ) {
      const cared = this.cared;
      await this.#pull();
      await this.#receipts();
      calm = this.cared === cared ? calm + 1 : 0;
    }
  }

  async #pull(): Promise<void> {
    for (;;) {
      const { status, body } = await this.#post(`/v1/erp-connections/${this.#world.connectionId}/sync`);
      if (status < 300) return this.#finished(Run.parse(body).sync_run_id);
      await sleep(PAUSE_MS);
    }
  }

  async #finished(runId: string): Promise<void> {
    for (;;) {
      const { status } = RunStatus.parse((await this.#get(`/v1/sync-runs/${runId}`)).body);
      if (status === "succeeded") return;
      if (status !== "pending" && status !== "running") throw new Error(`the pull ${status}`);
      await sleep(PAUSE_MS);
    }
  }

  #post(path: string): ReturnType<typeof send> {
    return send(`${this.#url}${path}`, { method: "POST", key: this.#world.key, json: {} });
  }

  #get(path: string): ReturnType<typeof send> {
    return send(`${this.#url}${path}`, { key: this.#world.key });
  }

  async #sync(): Promise<void> {
    await this.#post(`/v1/erp-connections/${this.#world.connectionId}/sync`);
    await sleep(150);
  }

  async #links(): Promise<void> {
    await Promise.all(
      this.#ready(new Set(FATES))
        .slice(0, AT_ONCE)
        .map((link) => this.#meetFate(link)),
    );
    for (const session of this.#late.splice(0)) await this.#complete(session.link.id, session, this.#draws.chance(70));
  }

  /** Live links whose time has come. */
  #ready(fates: ReadonlySet<Fate>): SimulatedLink[] {
    return this.#world.stripe.links.filter((link) => {
      const debt = this.#debtOf(link);
      if (debt === undefined || !fates.has(debt.fate) || this.#done.has(link.id)) return false;
      if (!link.active || link.completed > 0) return false;
      const isMailed = () => this.#world.accepted.some(({ text }) => text.includes(link.id));
      return !debt.waitsForMail || this.#hurries.has(debt.fate) || this.windsDown || isMailed();
    });
  }

  #debtOf({ parameters }: SimulatedLink): Debt | undefined {
    return this.debts.get(BigInt(parameters.line_items[0].price_data.unit_amount));
  }

  #openOf(link: SimulatedLink): SessionRecord | undefined {
    const known = this.#opened.get(link.id);
    if (known !== undefined) return known;
    if (!link.active || link.completed > 0) return undefined;
    const session = this.#world.stripe.open(link.id);
    this.#opened.set(link.id, session);
    this.sessions.push(session);
    return session;
  }

  async #meetFate(link: SimulatedLink): Promise<void> {
    const { erp } = this.#world;
    const debt = this.#debtOf(link);
    const session = this.#openOf(link);
    if (debt === undefined || session === undefined) return;
    if (debt.fate === "paid") return this.#complete(link.id, session, this.#draws.chance(70));
    if (debt.fate === "withdrawn") {
      const { status } = await this.#post(`/v1/payment-links/${ourId(link)}/deactivate`);
      if (status === 200) this.#done.add(link.id);
      return;
    }
    this.#done.add(link.id);
    if (debt.fate === "paid_in_erp") {
      this.#enter(debt);
      if (this.#draws.chance(40)) this.#late.push(session);
    }
    if (debt.fate === "disputed_in_erp") erp.putInvoices(this.#disputedInvoice(debt));
    if (debt.fate === "gone_from_erp")
      erp.removeInvoices(String(erpInvoice(debt.invoice, [debt.amountMinor]).CustomerTransactionId));
  }

  #disputedInvoice({ invoice, amountMinor }: Debt) {
    const n = Number(invoice.split("-").at(-1));
    return erpInvoice(invoice, [amountMinor], { customer: customerOf(n), disputed: true });
  }

  /** The ERP's user enters a receipt for what is owed there; once. Its number, another's where nothing is owed. */
  #enter(debt: Debt): string {
    if (debt.enteredAs !== null) return debt.enteredAs;
    const { invoice, installment, amountMinor } = debt;
    const number = `HAND-${amountMinor}`;
    const amount = `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, "0")}`;
    this.#world.erp.enterReceipt({ invoice, installment, amount, number });
    this.entered.add(number);
    debt.enteredAs = number;
    return number;
  }

  /** Pays through an open checkout, whatever has become of its link. */
  async #complete(linkId: string, session: SessionRecord, lost: boolean): Promise<void> {
    this.#done.add(linkId);
    if (session.status !== "open" || session.link.completed > 0) return;
    this.#paid.push(session.paymentIntent);
    await this.#world.stripe.complete(session.id, { hold: lost });
  }

  /** Now and then a refund, a dispute or its end, and a receipt that the ERP's user reverses. */
  async #aside(): Promise<void> {
    this.#turns += 1;
    if (this.windsDown || this.#turns % TURNS_BETWEEN_EVENTS !== 0) return;
    const { erp, stripe } = this.#world;
    const intent = this.#paid.at(-1 - this.#draws.between(0, 11));
    const hold = this.#draws.chance(70);
    if (intent !== undefined && this.#draws.chance(40)) {
      const before = this.refunded.get(intent) ?? 0n;
      this.refunded.set(intent, before + 100n);
      await stripe.refund(intent, 100, { hold });
    } else if (intent !== undefined && this.#draws.chance(50)) {
      const status = this.disputed.has(intent) ? this.#draws.pick(["won", "lost"] as const) : "needs_response";
      if (status === "needs_response" || this.disputed.get(intent) === true) {
        this.disputed.set(intent, status !== "won");
        await stripe.dispute(intent, status, { hold });
      }
    } else {
      const applied = erp.receipts.filter(
        ({ receiptNumber, state }) => state === "Applied" && /^(PAY|P02)-/.test(receiptNumber ?? ""),
      );
      const receipt = applied.at(-1 - this.#draws.between(0, 7));
      if (receipt !== undefined) erp.reverseReceipt(receipt.receiptId, "NSF");
    }
  }

  /** Operators push receipts again, or enter them in the ERP and settle them by hand. */
  async #receipts(): Promise<void> {
    for (const status of ["failed", "reversed", "posted"]) {
      const { body } = await this.#get(`/v1/payments?erp_push_status=${status}&limit=20`);
      for (const { id, amount_minor } of Payments.parse(body).data) {
        const debt = this.debts.get(BigInt(amount_minor));
        if (debt !== undefined) await this.#care(id, debt, status);
      }
    }
    await sleep(PAUSE_MS);
  }

  async #care(paymentId: string, debt: Debt, status: string): Promise<void> {
    const retries = this.#retries.get(paymentId) ?? 0;
    if (status === "posted" && retries > 2) return;
    const byHand = status !== "posted" && (debt.enteredAs !== null || retries > 2 || this.#draws.chance(40));
    this.#retries.set(paymentId, retries + 1);
    const answer = await this.#post(`/operator/${paymentId}/${byHand ? `by-hand/${this.#enter(debt)}` : "push"}`);
    if (answer.status === 200) this.cared += 1;
    // Somebody's push may have been taken though its answer was lost.
    else if (answer.status !== 409) this.complaints.push(answer.text);
  }
}

const FATES: readonly Fate[] = ["paid", "paid_in_erp", "disputed_in_erp", "gone_from_erp", "withdrawn", "open"];

/** The service's own id of a link at the provider. */
export const ourId = ({ metadata }: Pick<SimulatedLink, "metadata">): string => Object.values(metadata)[0] ?? "";

const customerOf = (n: number) => ({
  partyId: 300100500100000000n + BigInt(n),
  number: `C-${n}`,
  name: `Customer ${n}`,
});
