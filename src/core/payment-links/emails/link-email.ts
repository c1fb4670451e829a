import type { Transaction } from "../../../store/store.ts";
import { isHeld } from "../../gate/retry.ts";
import { conflictOf, notFound } from "../../kernel/error.ts";
import { linkById } from "../link-queries.ts";
import { isShown } from "../list-queries.ts";
import { lockEmail } from "./link-email-queries.ts";

interface LinkOfCall {
  readonly tenantId: string;
  readonly linkId: string;
  /** The instant of the call. */
  readonly now: string;
}

/**
 * A link's email, locked and free to be changed: nobody is sending it. Throws `not_found`, and `conflict` for a link
 * that no email was scheduled for, or whose email is being sent.
 */
export async function lockLinkEmail(tx: Transaction, { tenantId, linkId, now }: LinkOfCall) {
  const link = await linkById(tx, tenantId, linkId, { lock: true });
  if (link === undefined || !isShown(link.state)) throw notFound("payment link");
  const email = await lockEmail(tx, tenantId, linkId);
  if (email === undefined) throw conflictOf("payment link", linkId, (link) => `No email was scheduled for ${link}.`);
  const { status } = email;
  if (status === "scheduled" && isHeld(email, now))
    throw conflictOf("payment link", linkId, (link) => `The email of ${link} is being sent right now.`);
  if (status === "scheduled" && link.state !== "active")
    throw conflictOf("payment link", linkId, (link) => `${link} has ended; its email will not be sent.`);
  return email;
}
