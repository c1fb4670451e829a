import type { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { PaymentLinkRow } from "../../../store/tables/payment-links.ts";
import { notFound, ServiceError } from "../../gate/error.ts";
import { farthestOf } from "../../shared/retry.ts";
import { linksById } from "../queries.ts";
import type { PaymentLink } from "../schema.ts";
import { linkOnWire } from "../wire.ts";
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
export async function lockEmailStatus(
  tx: Transaction,
  { tenantId, linkId, now }: LinkOfCall,
): Promise<NonNullable<PaymentLinkRow["email_status"]>> {
  const link = await lockEmail(tx, tenantId, linkId);
  if (link === undefined) throw notFound("payment link");
  const { email_status: status, email_lease_expires_at: lease } = link;
  if (status === null) throw new ServiceError("conflict", `No email was scheduled for payment link ${linkId}.`);
  if (status === "scheduled" && lease !== null && lease > now && lease <= farthestOf(now))
    throw new ServiceError("conflict", `The email of payment link ${linkId} is being sent right now.`);
  if (status === "scheduled" && link.state !== "active")
    throw new ServiceError("conflict", `Payment link ${linkId} has ended; its email will not be sent.`);
  return status;
}

/** What the caller is told of the link afterwards. */
export async function shownLink(
  tx: Transaction,
  { tenantId, linkId }: Pick<LinkOfCall, "tenantId" | "linkId">,
): Promise<z.output<typeof PaymentLink>> {
  const [row] = await linksById(tx, tenantId, [linkId]);
  if (row === undefined) throw notFound("payment link");
  return linkOnWire(row);
}
