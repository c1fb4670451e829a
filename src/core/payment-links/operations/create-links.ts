import { z } from "zod";
import { authorOf } from "../../gate/author.ts";
import { type Face, operation, type RunContext } from "../../gate/operation.ts";
import type { OutsideDeclaration } from "../../gate/outside-call.ts";
import { ServiceError } from "../../kernel/error.ts";
import { nameSchemas } from "../../kernel/wire-types.ts";
import { confirmReservation, withdrawReservation } from "../issuing/finish-reservation.ts";
import type { AskedLink, Ineligibility } from "../issuing/locked-book.ts";
import { type MintOutcome, mintReservation } from "../issuing/mint-links.ts";
import { Reservation, reserveLinks } from "../issuing/reserve-links.ts";
import { reservationLinks } from "../link-queries.ts";
import { linkOnWire, linksById } from "../list-queries.ts";
import { LINK_CHANGE, LINK_FIELDS, PaymentLink } from "../schema.ts";
import { withdrawAtProvider } from "../withdrawing/withdraw-links.ts";

type Link = z.output<typeof PaymentLink>;

interface Declaration<I extends z.ZodType, O extends z.ZodType>
  extends Pick<Face<I, O>, "id" | "summary" | "description" | "sideEffects" | "input" | "output"> {
  asked(input: z.output<I>): readonly Omit<AskedLink, "email">[];
  /** What a field of one of the links is called in the input. */
  fieldName(index: number, field: Ineligibility["field"]): string;
  /** The links in the order they were asked for. */
  answer(links: readonly Link[]): z.output<O>;
}

/** What an operation declares that issues payment links, one or several: all of them, or none. */
function issuing<I extends z.ZodType, O extends z.ZodType>({
  asked,
  fieldName,
  answer,
  ...face
}: Declaration<I, O>): OutsideDeclaration<I, O, typeof Reservation, MintOutcome> {
  /** What a provider refused of a link, its field called as the caller calls it. */
  const named = (refusal: ServiceError, index: number) => {
    const { code, message, internal, cause } = refusal;
    const field = fieldName(index, code === "validation_failed" ? "amount_minor" : "installment_id");
    const details = [{ field, message }];
    return new ServiceError(code, message, { details, cause, ...(internal === undefined ? {} : { internal }) });
  };
  return {
    ...face,
    errors: [
      "conflict",
      "installment_not_collectible",
      "amount_exceeds_available",
      "integration_unavailable",
      "currency_not_supported",
    ],
    ...LINK_CHANGE,
    idempotency: true,
    outside: {
      reservation: Reservation,
      async reserve({ actor, tx, core, requestId }, input) {
        const { tenantId } = actor;
        const author = { ...authorOf(actor), operation: face.id, request_id: requestId };
        const kind = actor.kind === "api_key" ? "api_key" : "member";
        const createdBy = { kind, id: author.actor_id ?? "" } as const;
        return reserveLinks(tx, core, { tenantId, createdBy, author, links: asked(input), fieldName });
      },
      async resume({ actor, tx }, reservation) {
        const links = await reservationLinks(tx, actor.tenantId, reservation.reservation_id);
        const stands = links.length > 0 && links.every((link) => link.state !== "withdrawn");
        return stands ? { ...reservation, again: true } : null;
      },
      act: (core, { tenant_id: tenantId, reservation_id: id, again }, onProgress) =>
        mintReservation(core, tenantId, id, { again, onProgress }),
      async confirm(context, { reservation_id: reservationId, link_ids: linkIds }, outcome) {
        if (outcome.refusal !== null) throw named(outcome.refusal, linkIds.indexOf(outcome.refusedLinkId ?? ""));
        await confirmReservation(context, { reservationId, outcome });
        return answer(await linksInOrder(context, linkIds));
      },
      async release(context, { reservation_id: reservationId }, outcome) {
        const due = await withdrawReservation(context, { reservationId, outcome });
        context.afterCommit(() => withdrawAtProvider(context.core, context.actor.tenantId, due));
      },
    },
  };
}

async function linksInOrder({ tx, actor }: RunContext, linkIds: readonly string[]) {
  const byId = new Map((await linksById(tx, actor.tenantId, linkIds)).map((row) => [row.payment_link_id, row]));
  return linkIds.map((linkId) => {
    const row = byId.get(linkId);
    if (row === undefined) throw new Error("a confirmed link is not there");
    return linkOnWire(row);
  });
}

const SingleLink = z.strictObject(LINK_FIELDS);
nameSchemas({ CreatePaymentLinkRequest: SingleLink });

/** service.md §4.11; the rules of completions §5 and §9. */
export const createPaymentLink = operation(
  issuing({
    id: "createPaymentLink",
    summary: "Create a payment link",
    description:
      "For one installment: `amount_minor` or, where it is left out, all that is available, which is the installment's `collection_outstanding` less its live links. An outstanding amount finer than the minor unit is rounded down. An installment holds at most 12 live links: one more is a `conflict` that names them. The service withdraws a link by itself once less is owed than it asks for, or the debt is disputed, closed or gone in the ERP.",
    sideEffects:
      "A payment link is made at the payment provider, which anybody who has it can pay; the invoice's open task becomes configured. Nothing is sent to the customer.",
    input: SingleLink,
    output: PaymentLink,
    asked: (input) => [input],
    fieldName: (_index, field) => field,
    answer([link]) {
      if (link === undefined) throw new Error("one link was asked for");
      return link;
    },
  }),
);

/** service.md §8. */
export const MAX_LINKS_AT_ONCE = 12;

/** 1 to 12 links at once, all or none (completions §5); links on one installment share what is available. */
export const createPaymentLinks = operation(
  issuing({
    id: "createPaymentLinks",
    summary: "Create several payment links, or none",
    description:
      "All are created or none; `details[].field` of an error names the link, as in `links[3].amount_minor`. Links on one installment share what is available, in their order.",
    sideEffects:
      "Payment links are made at the payment provider, all or none, which anybody who has them can pay; the invoices' open tasks become configured. Nothing is sent to the customers.",
    input: z.strictObject({
      links: z.array(SingleLink).min(1).max(MAX_LINKS_AT_ONCE).describe("1 to 12 links"),
    }),
    output: z.strictObject({ data: z.array(PaymentLink) }),
    asked: ({ links }) => links,
    fieldName: (index, field) => `links[${index}].${field}`,
    answer: (links) => ({ data: [...links] }),
  }),
);
