import type { z } from "zod";
import { authorOf } from "../../gate/author.ts";
import type { Face, RunContext } from "../../gate/operation.ts";
import type { OutsideDeclaration } from "../../gate/outside-call.ts";
import { ServiceError } from "../../kernel/error.ts";
import { reservationLinks } from "../link-queries.ts";
import { linkOnWire, linksById } from "../list-queries.ts";
import { LINK_CHANGE, type PaymentLink } from "../schema.ts";
import { withdrawAtProvider } from "../withdrawing/withdraw-links.ts";
import { confirmReservation, withdrawReservation } from "./finish-reservation.ts";
import type { Ineligibility } from "./link-refusals.ts";
import type { AskedLink } from "./locked-book.ts";
import { type MintOutcome, mintReservation } from "./mint-links.ts";
import { Reservation, reserveLinks } from "./reserve-links.ts";

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
export function issuing<I extends z.ZodType, O extends z.ZodType>({
  asked,
  fieldName,
  answer,
  ...face
}: Declaration<I, O>): OutsideDeclaration<I, O, typeof Reservation, MintOutcome> {
  /** What a provider refused of a link, its field called as the caller calls it. */
  const named = (refusal: ServiceError, index: number): ServiceError => {
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
        const createdBy =
          actor.kind === "api_key"
            ? ({ kind: "api_key", id: actor.keyId } as const)
            : ({ kind: "member", id: actor.memberId } as const);
        const author = { ...authorOf(actor), operation: face.id, request_id: requestId };
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

async function linksInOrder({ tx, actor }: RunContext, linkIds: readonly string[]): Promise<Link[]> {
  const byId = new Map((await linksById(tx, actor.tenantId, linkIds)).map((row) => [row.payment_link_id, row]));
  return linkIds.map((linkId) => {
    const row = byId.get(linkId);
    if (row === undefined) throw new Error("a confirmed link is not there");
    return linkOnWire(row);
  });
}
