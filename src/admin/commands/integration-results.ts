import { z } from "zod";
import { counted } from "../../core/shared/counted.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { localTime } from "../render.ts";

const NEXT_AT_STRIPE = `At Stripe, under Developers, Webhooks: add an endpoint with webhook_address as its URL and these events:
${STRIPE_EVENT_TYPES.join(", ")}.
Its signing secret is the webhook secret given here; of another endpoint, replace it: integration rotate-webhook-secret.`;

/** Of a reading that read no provider's list. */
export const NOTHING_TO_READ =
  "Nothing was read: the running service is reading it just now, or no connected provider has a list of events. The sandbox has none; what is paid there is recorded at once.";

/** The note after an integration was connected. */
export function connectedNote(result: unknown): string {
  const { livemode, provider } = Connected.parse(result);
  if (provider === "sandbox")
    return "The sandbox is for trying things out: its links open a pay page here, and no money moves.";
  return livemode
    ? NEXT_AT_STRIPE
    : `This is a TEST key: no money moves, and live payments are not seen.\n${NEXT_AT_STRIPE}`;
}

const Connected = z.looseObject({ livemode: z.boolean(), provider: z.string() });

/** The note about links that customers have. */
export function disconnectedNote(result: unknown): string {
  const { links_still_payable: links } = Disconnected.parse(result);
  if (links === 0) return "None of its payment links can be paid any more.";
  const those = links === 1 ? "1 of its payment links" : `${links} of its payment links`;
  return `${those} can still be paid, and what is paid is recorded. To withdraw them: integration forget --yes.`;
}

const Disconnected = z.looseObject({ links_still_payable: z.int() });

/** Which secrets are valid now. */
export function rotatedNote(result: unknown): string {
  const { earlier_good_until: until, status } = Rotated.parse(result);
  return [
    "The new webhook secret is good from now on. No link and no payment changes.",
    `What is signed with the earlier one is taken until ${localTime(until, "UTC")}: let Stripe stop using it by then.`,
    ...(status === "disconnected"
      ? ["The integration is disconnected: both vouch only for payments by its links."]
      : []),
  ].join("\n");
}

const Rotated = z.looseObject({ earlier_good_until: z.string(), status: z.string() });

/** What was removed with an integration, and what stays. */
export function forgottenNote(result: unknown): string {
  const { links_withdrawn: links } = Forgotten.parse(result);
  return [
    "Forgotten: its webhook secret is deleted, and nothing that it tells of is recorded any more.",
    links === 0
      ? "No payment link of it was left to withdraw."
      : `${counted(links, "payment link was", "payment links were")} withdrawn. If somebody has paid by one just now, the money is seen at the provider only.`,
    "Payments that were recorded stay, with their receipts.",
  ].join("\n");
}

const Forgotten = z.looseObject({ links_withdrawn: z.int() });
