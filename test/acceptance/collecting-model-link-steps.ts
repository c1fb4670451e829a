import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { createPaymentLink, createPaymentLinks } from "../../src/core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../../src/core/payment-links/operations/deactivate-payment-link.ts";
import { finishLinks } from "../../src/jobs/work-off.ts";
import { rowsOf } from "../support/stored.ts";
import type { Minting, ModelBook } from "./collecting-model-book.ts";
import type { Ask, Part, Reservation } from "./collecting-model-facts.ts";
import {
  codeOf,
  latest,
  pick,
  request,
  type StripeFault,
  step,
  stripeFault,
  withStripe,
} from "./collecting-model-step.ts";
import type { ModelWorld } from "./collecting-model-world.ts";

function ask(world: ModelWorld, key: string, asks: readonly Ask[]): Promise<unknown> {
  const links = asks.map(({ part, amount }) => ({
    invoice_id: world.ids.invoices.get(part.invoice),
    installment_id: world.ids.parts.get(part),
    ...(amount === null ? {} : { amount_minor: Number(amount) }),
  }));
  const { admin } = world;
  const [single, ...more] = links;
  return single !== undefined && more.length === 0
    ? createPaymentLink.call(admin, single, request(world, key))
    : createPaymentLinks.call(admin, { links }, request(world, key));
}

/** Takes into the model the rows of a reservation, whose ids nobody was told. */
async function takeIn(world: ModelWorld, reservation: Reservation, amounts: readonly bigint[]): Promise<void> {
  const { book, core, tenantId, ids } = world;
  const known = new Set(book.links.map((link) => link.id));
  const rows = await rowsOf(core.store, tenantId, "payment_links");
  const fresh = rows.filter((row) => !known.has(row.payment_link_id));
  for (const [index, { part }] of reservation.asks.entries()) {
    const amount = amounts[index] ?? 0n;
    const at = fresh.findIndex(
      (row) => row.installment_id === ids.parts.get(part) && BigInt(row.amount_minor) === amount,
    );
    const [row] = at < 0 ? [] : fresh.splice(at, 1);
    if (row === undefined) throw new Error(`no link of ${amount} was reserved`);
    const { currency } = part.invoice.seen;
    expect(row.currency).toBe(currency);
    const made = { reservation, part, amount, currency, state: "reserved", paid: false, email: null } as const;
    book.links.push({ ...made, id: row.payment_link_id });
  }
}

const throughStripe = (book: ModelBook, reservation: Reservation): boolean =>
  book.linksOf(reservation).some(({ currency, state }) => currency === "USD" && state === "reserved");

function minting(book: ModelBook, reservation: Reservation, fault: StripeFault): Minting {
  if (fault === "ok" || !throughStripe(book, reservation)) return "ok";
  return fault === "401" ? "refused" : "unclear";
}

const CODES = { ok: "conflict", unclear: "internal_error", refused: "integration_unavailable" } as const;

interface Asked {
  readonly asked: readonly { readonly part: number; readonly amount: bigint | null }[];
  readonly fault: StripeFault;
}

/** Asks for links on parts, the latest being 0, of all that is available where an amount is null. */
export const creation = ({ asked, fault }: Asked) =>
  step(`create ${asked.map(({ part, amount }) => `${part}:${amount}`).join(" ")} (Stripe ${fault})`, async (world) => {
    const { book } = world;
    const asks = asked.flatMap(({ part: index, amount }) => {
      const part = pick(book.parts, index);
      return part === undefined ? [] : [{ part, amount }];
    });
    // Of two that hang on one installment, which is settled first is anybody's guess.
    const hangs = (part: Part) => book.hanging.some((one) => one.asks.some((other) => other.part === part));
    if (fault !== "ok" && asks.some(({ part }) => hangs(part))) return;
    const key = randomUUID();
    const amounts = book.allot(asks);
    const code = await withStripe(world, fault, () => codeOf(ask(world, key, asks)));
    if (typeof amounts === "string") return expect(code).toBe(amounts);
    const reservation = book.reserve(key, asks);
    await takeIn(world, reservation, amounts);
    const made = minting(book, reservation, fault);
    expect(code).toBe(book.settle(reservation, made) ? null : CODES[made]);
    if (made === "unclear") book.unanswered = reservation;
    for (const { part } of asks) expect(book.live(part) <= book.outstanding(part)).toBe(true);
  });

const creationOn = (part: fc.Arbitrary<number>) =>
  fc
    .record({
      asked: fc.array(fc.record({ part, amount: fc.constantFrom(null, 10_000n, 10_000n, 20_000n, 30_000n, 90_000n) }), {
        minLength: 1,
        maxLength: 3,
      }),
      fault: stripeFault,
    })
    .map(creation);

export const createLinks = creationOn(fc.nat({ max: 8 }));
/** On what no ERP has: it comes after the ERP's six, the latest first. */
export const createLocal = creationOn(fc.integer({ min: 6, max: 7 }));

export const retryCreation = fc.constant(
  step("send the unanswered request again", async (world) => {
    const { book } = world;
    const { unanswered: reservation } = book;
    if (reservation === null || book.now - reservation.createdAt > 23 * 3_600_000) return;
    const links = book.linksOf(reservation);
    if (links.some(({ state }) => state === "withdrawn")) return;
    const settled = links.every(({ state }) => state !== "reserved");
    const code = await codeOf(ask(world, reservation.key, reservation.asks));
    expect(code).toBe(settled ? null : book.overtaken(reservation));
    if (!settled) book.settle(reservation, "ok");
  }),
);

export const deactivate = fc.record({ which: latest, fault: stripeFault }).map(({ which, fault }) =>
  step(`deactivate ${which} (Stripe ${fault})`, async (world) => {
    const link = pick(world.book.links, which);
    if (link === undefined) return;
    const input = { payment_link_id: link.id };
    const code = await withStripe(world, fault, () =>
      codeOf(deactivatePaymentLink.call(world.admin, input, request(world, ""))),
    );
    const hidden = link.state === "reserved" || link.state === "withdrawn";
    expect(code).toBe(hidden ? "not_found" : link.state === "paid" ? "conflict" : null);
    if (link.state !== "active") return;
    link.state = "deactivated";
    link.part.withdrawn = world.book.outstanding(link.part);
  }),
);

export const reconciliation = (fault: StripeFault) =>
  step(`reconcile (Stripe ${fault})`, async (world) => {
    const { book, core } = world;
    await withStripe(world, fault, () => finishLinks(core));
    book.reconcile((reservation) => minting(book, reservation, fault));
  });

export const reconcile = stripeFault.map(reconciliation);
