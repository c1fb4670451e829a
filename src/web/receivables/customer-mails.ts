import type { z } from "zod";
import { getCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/workspace-pages.ts";
import { rejectedList } from "../mails/customer-mailing-view.ts";
import { part } from "./parts.ts";

const SHOWN = 5;

type Mailing = z.output<(typeof getCustomerMailing)["output"]>;

/** How the customer of a key is mailed; null for a key that stands for one invoice without a customer. */
export async function mailingOf(visit: WorkspaceVisit, key: string): Promise<Mailing | null> {
  const customerId = Uuid.safeParse(key).data;
  return customerId === undefined ? null : visit.read(getCustomerMailing, { customerId });
}

/** What of it a person has to know: mails that were rejected, or that none are sent; admins change it from here. */
export function mailingPart(
  { workspace: { tenantId, timezone }, isAdmin }: WorkspaceVisit,
  mailing: Mailing,
): Html | false {
  const { customer_id: id, no_mail: noMail, rejected } = mailing;
  if (!noMail && rejected.length === 0 && !isAdmin) return false;
  return part(
    "Mails",
    html`${noMail && html`<p>This customer is not mailed: Auto Generate makes no links for them.</p>`}
${rejected.length > 0 && html`<p class="warn">Mail servers rejected mails to them. Check the billing email.</p>${rejectedList(rejected.slice(0, SHOWN), timezone)}`}
${!noMail && rejected.length === 0 && html`<p class="quiet">No mail was rejected.</p>`}`,
    isAdmin ? html`<a href="/mails/${tenantId}/customers/${id}">Language and mailing</a>` : null,
  );
}
