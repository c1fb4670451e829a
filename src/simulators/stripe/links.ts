import { randomBytes } from "node:crypto";
import { StripeFault } from "./answers.ts";
import type { LinkParameters } from "./link-parameters.ts";

/** A payment link as the simulator keeps it. */
export interface SimulatedLink {
  readonly id: string;
  /** The connected account it belongs to; undefined is the key's own. */
  readonly account: string | undefined;
  readonly parameters: LinkParameters;
  metadata: Record<string, string>;
  active: boolean;
  /** Checkout sessions completed so far. */
  completed: number;
}

/** An id as Stripe makes them, such as `plink_1a2b…`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString("hex")}`;

/** The payment links of the simulated accounts. */
export class Links {
  /** Oldest first. */
  readonly all: SimulatedLink[] = [];

  create(account: string | undefined, parameters: LinkParameters): SimulatedLink {
    const metadata = { ...parameters.metadata };
    const link = { id: newId("plink"), account, parameters, metadata, active: true, completed: 0 };
    this.all.push(link);
    return link;
  }

  /** Throws a fault when the account has no such link. */
  get(account: string | undefined, id: string): SimulatedLink {
    const link = this.all.find((candidate) => candidate.id === id && candidate.account === account);
    if (link === undefined)
      throw new StripeFault(`No such payment_link: '${id}'`, {
        status: 404,
        code: "resource_missing",
        param: "payment_link",
      });
    return link;
  }

  /** A page of an account's links, newest first. */
  page(
    account: string | undefined,
    query: { limit: number; starting_after?: string | undefined; active?: boolean | undefined },
  ): { links: SimulatedLink[]; hasMore: boolean } {
    const newestFirst = this.all.filter((link) => link.account === account).reverse();
    const start =
      query.starting_after === undefined ? 0 : newestFirst.indexOf(this.get(account, query.starting_after)) + 1;
    const following = newestFirst
      .slice(start)
      .filter((link) => query.active === undefined || link.active === query.active);
    return { links: following.slice(0, query.limit), hasMore: following.length > query.limit };
  }
}

/** A link as the API shows it; `origin` is where its page would stand. */
export function linkBody({ id, parameters, metadata, active, completed }: SimulatedLink, origin: string) {
  const { line_items, restrictions, payment_intent_data, after_completion, inactive_message } = parameters;
  const limit = restrictions?.completed_sessions.limit;
  return {
    id,
    object: "payment_link",
    active,
    after_completion,
    allow_promotion_codes: false,
    application_fee_amount: null,
    automatic_tax: { enabled: false, liability: null },
    billing_address_collection: "auto",
    currency: line_items[0].price_data.currency,
    custom_fields: [],
    inactive_message: inactive_message ?? null,
    livemode: false,
    metadata,
    on_behalf_of: null,
    payment_intent_data,
    payment_method_types: null,
    restrictions: limit === undefined ? null : { completed_sessions: { count: completed, limit } },
    submit_type: "auto",
    transfer_data: null,
    url: `${origin}/buy/${id}`,
  };
}
