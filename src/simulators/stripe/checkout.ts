import { StripeFault } from "./answers.ts";
import { type Links, newId, type SimulatedLink } from "./links.ts";
import { type PageQuery, pageOf } from "./paging.ts";

/** A checkout that a customer opened from a link. */
export interface SessionRecord {
  readonly id: string;
  readonly link: SimulatedLink;
  readonly paymentIntent: string;
  status: "open" | "complete" | "expired";
  paymentStatus: "unpaid" | "paid";
  /** Less what failed. */
  refunded: number;
  /** Those that have not failed, in Stripe's smallest unit. */
  readonly refunds: { readonly id: string; readonly amount: number }[];
}

/** Which checkouts are listed. */
interface SessionQuery extends PageQuery {
  readonly payment_link?: string | undefined;
  readonly status?: SessionRecord["status"] | undefined;
}

/** What an event is made of: its type, the object it shows, and the connected account it happened on. */
export interface Happening {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly account: string | undefined;
}

/** The customers' side of the simulator. Each step answers the events Stripe would send of it; an Error is a refusal. */
export class Checkouts {
  readonly #links: Links;
  readonly #sessions: SessionRecord[] = [];

  constructor(links: Links) {
    this.#links = links;
  }

  /** By the link's id, or any value of its metadata, such as the service's own id. The newest such link. */
  find(reference: string): SimulatedLink {
    const link = this.#links.all.findLast(
      ({ id, metadata }) => id === reference || Object.values(metadata).includes(reference),
    );
    if (link === undefined) throw new Error(`no payment link ${reference}`);
    return link;
  }

  /** Follows a link: only while it is active and has not been paid. */
  open(reference: string): SessionRecord {
    const link = this.find(reference);
    if (!link.active) throw new Error("the payment link is not active");
    checkLimit(link);
    const session: SessionRecord = {
      id: newId("cs_test"),
      link,
      paymentIntent: newId("pi"),
      status: "open",
      paymentStatus: "unpaid",
      refunded: 0,
      refunds: [],
    };
    this.#sessions.push(session);
    return session;
  }

  /** A page of an account's checkouts, newest first. */
  page(account: string | undefined, query: SessionQuery): { page: SessionRecord[]; hasMore: boolean } {
    const matching = this.#sessions.filter(
      ({ link, status }) =>
        link.account === account &&
        (query.payment_link === undefined || link.id === query.payment_link) &&
        (query.status === undefined || status === query.status),
    );
    return pageOf(matching.toReversed(), query, (id) => this.#mustExist(account, id));
  }

  /** Throws a fault when the account has no such checkout. */
  ofAccount(account: string | undefined, id: string): SessionRecord {
    return this.#mustExist(account, id);
  }

  /** Nobody can pay by it any more. Throws a fault unless it is open. */
  expire(account: string | undefined, id: string): Happening {
    const session = this.#mustExist(account, id);
    if (session.status !== "open")
      throw new StripeFault('Only Checkout Sessions with a status in ["open"] can be expired.');
    session.status = "expired";
    return happening("checkout.session.expired", session, sessionBody(session));
  }

  #mustExist(account: string | undefined, id: string): SessionRecord {
    const session = this.#sessions.find((candidate) => candidate.id === id && candidate.link.account === account);
    if (session !== undefined) return session;
    throw new StripeFault(`No such checkout.session: ${id}`, { status: 404, code: "resource_missing" });
  }

  /** Pays an open checkout, even when its link was deactivated meanwhile; `delayed` is a bank debit, not yet through. */
  complete(sessionId: string, delayed: boolean): Happening[] {
    const session = this.session(sessionId);
    if (session.status !== "open") throw new Error(`the checkout session is ${session.status}`);
    checkLimit(session.link);
    session.link.completed += 1;
    session.status = "complete";
    if (!delayed) session.paymentStatus = "paid";
    const completed = happening("checkout.session.completed", session, sessionBody(session));
    return delayed ? [completed] : [happening("payment_intent.succeeded", session, intentBody(session)), completed];
  }

  /** The end of a delayed payment. */
  finishDebit(sessionId: string, succeeded: boolean): Happening[] {
    const session = this.session(sessionId);
    if (session.status !== "complete" || session.paymentStatus === "paid") throw new Error("nothing is under way");
    if (!succeeded) return [happening("checkout.session.async_payment_failed", session, sessionBody(session))];
    session.paymentStatus = "paid";
    return [
      happening("payment_intent.succeeded", session, intentBody(session)),
      happening("checkout.session.async_payment_succeeded", session, sessionBody(session)),
    ];
  }

  /** Somebody refunds at Stripe: all, or an amount in Stripe's smallest unit. */
  refund(paymentIntent: string, amount?: number): Happening[] {
    const session = this.#paid(paymentIntent);
    const left = amountOf(session.link) - session.refunded;
    if ((amount ?? left) > left) throw new Error("more than what is left");
    session.refunded += amount ?? left;
    session.refunds.push({ id: newId("re"), amount: amount ?? left });
    return [happening("charge.refunded", session, chargeBody(session))];
  }

  /** The latest refund comes to nothing, or is canceled before it is made; Stripe tells it twice. */
  failRefund(paymentIntent: string, status: "failed" | "canceled" = "failed"): Happening[] {
    const session = this.#paid(paymentIntent);
    const refund = session.refunds.pop();
    if (refund === undefined) throw new Error("no refund to fail");
    session.refunded -= refund.amount;
    const body = { ...moneyOf(session, "refund"), ...refund, payment_intent: paymentIntent, metadata: {}, status };
    const types = [status === "failed" ? "refund.failed" : "refund.updated", "charge.refund.updated"];
    return types.map((type) => happening(type, session, body));
  }

  /** The customer's bank disputes, or has decided. */
  dispute(paymentIntent: string, status: "needs_response" | "won" | "lost" = "needs_response"): Happening[] {
    const session = this.#paid(paymentIntent);
    const type = status === "needs_response" ? "charge.dispute.created" : "charge.dispute.closed";
    return [happening(type, session, { ...moneyOf(session, "dispute"), payment_intent: paymentIntent, status })];
  }

  /** Throws an Error when missing. */
  session(id: string): SessionRecord {
    const session = this.#sessions.find((candidate) => candidate.id === id);
    if (session === undefined) throw new Error(`no checkout session ${id}`);
    return session;
  }

  #paid(paymentIntent: string): SessionRecord {
    const session = this.#sessions.find((candidate) => candidate.paymentIntent === paymentIntent);
    if (session?.paymentStatus !== "paid") throw new Error(`no payment ${paymentIntent}`);
    return session;
  }
}

function checkLimit({ parameters, completed }: SimulatedLink): void {
  const limit = parameters.restrictions?.completed_sessions.limit;
  if (limit !== undefined && completed >= limit) throw new Error("the payment link has been paid");
}

const amountOf = ({ parameters }: SimulatedLink): number => parameters.line_items[0].price_data.unit_amount;
const currencyOf = ({ parameters }: SimulatedLink): string => parameters.line_items[0].price_data.currency;

function happening(type: string, { link }: SessionRecord, object: Happening["object"]): Happening {
  return { type, object, account: link.account };
}

function moneyOf({ link }: SessionRecord, object: string) {
  return { object, amount: amountOf(link), currency: currencyOf(link), livemode: false };
}

/** A checkout as the API shows it. */
export function sessionBody(session: SessionRecord) {
  const { id, link, paymentIntent, status, paymentStatus } = session;
  const total = amountOf(link);
  return {
    id,
    object: "checkout.session",
    amount_subtotal: total,
    amount_total: total,
    client_reference_id: null,
    currency: currencyOf(link),
    currency_conversion: null,
    livemode: false,
    metadata: link.metadata,
    mode: "payment",
    payment_intent: paymentIntent,
    payment_link: link.id,
    payment_status: paymentStatus,
    status,
  };
}

function intentBody(session: SessionRecord) {
  const { metadata, description = null } = session.link.parameters.payment_intent_data;
  const received = amountOf(session.link);
  const base = moneyOf(session, "payment_intent");
  return { ...base, id: session.paymentIntent, amount_received: received, metadata, description, status: "succeeded" };
}

function chargeBody(session: SessionRecord) {
  const { metadata } = session.link.parameters.payment_intent_data;
  return {
    ...moneyOf(session, "charge"),
    id: newId("ch"),
    amount_refunded: session.refunded,
    metadata,
    paid: true,
    payment_intent: session.paymentIntent,
    refunded: session.refunded === amountOf(session.link),
  };
}
