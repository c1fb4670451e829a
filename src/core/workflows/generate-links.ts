import type { Transaction } from "../../store/store.ts";
import { committed } from "../gate/committed.ts";
import type { Core } from "../gate/core.ts";
import { ServiceError } from "../gate/error.ts";
import { giveUpReservation, releaseReservation } from "../payment-links/issuing/finish-reservation.ts";
import { type MintOutcome, mintReservation, UnclearMint } from "../payment-links/issuing/mint-links.ts";
import { confirmReservation } from "../payment-links/issuing/settle-reservation.ts";
import type { Generation } from "./examine-invoice.ts";
import { recordExecution, recordLinksMade } from "./executions.ts";

/** So many links are asked of a provider at once. */
const AT_ONCE = 12;

/** What became of the links of a generation that were not made. */
export interface Shortfall {
  /** Worth another attempt later. */
  readonly retry: boolean;
  /** The provider did not say whether it made some of them: whoever looks after reservations finds out. */
  readonly unclear: boolean;
}

/** Another try may end otherwise; anything else waits until something moves the invoice. */
const WORTH_RETRYING: readonly string[] = ["integration_unavailable", "internal_error", "conflict"];

/**
 * Makes the links of a generation at their provider and confirms each, with the history in the same transaction. What
 * is refused is withdrawn and the history says why. Never rejects for what a provider or a rule refuses.
 */
export async function generateLinks(core: Core, generation: Generation): Promise<Shortfall> {
  const refusals: ServiceError[] = [...generation.refusals];
  let unclear = false;
  const make = async (reservationId: string): Promise<void> => {
    const failure = await makeReserved(core, generation, reservationId);
    if (failure instanceof UnclearMint) unclear = true;
    else if (failure !== null) refusals.push(failure);
  };
  const { reservationIds } = generation;
  for (let start = 0; start < reservationIds.length; start += AT_ONCE)
    await allDone(reservationIds.slice(start, start + AT_ONCE).map(make));
  await recordRefusals(core, generation, refusals);
  return { retry: refusals.some(({ code }) => WORTH_RETRYING.includes(code)), unclear };
}

/** Waits for all of them; rejects with the first's reason once none is at work any more. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Answers why a reserved link is none; null when it is one. */
async function makeReserved(core: Core, generation: Generation, reservationId: string): Promise<ServiceError | null> {
  const { tenantId } = generation;
  let outcome: MintOutcome | null = null;
  try {
    const minted = await mintReservation(core, tenantId, reservationId);
    outcome = minted;
    const confirm = async (tx: Transaction): Promise<void> => {
      await confirmReservation(tx, core, { tenantId, reservationId, outcome: minted });
      await recordLinksMade(tx, core, generation);
    };
    await committed(() => core.store.write(tenantId, confirm));
    return null;
  } catch (error) {
    if (error instanceof UnclearMint) return error;
    if (!(error instanceof ServiceError)) {
      await releaseReservation(core, { tenantId, reservationId, attempts: 1 });
      throw error;
    }
    await giveUpReservation(core, { tenantId, reservationId, outcome });
    return error;
  }
}

async function recordRefusals(core: Core, generation: Generation, refusals: readonly ServiceError[]): Promise<void> {
  // One that was overtaken was no failure: the next look, soon, sees what there is now.
  const told = refusals.filter(({ code }) => code !== "conflict");
  if (told.length === 0) return;
  const { tenantId, invoiceId, reservationIds } = generation;
  core.log.warn({ tenantId, invoiceId, err: told[0] }, "Auto Generate could not make links");
  const messages = [...new Set(told.map(({ message }) => message))].sort().join(" ");
  const wanted = reservationIds.length + generation.refusals.length;
  const reason = wanted === 1 ? messages : `${told.length} of ${wanted} links could not be made: ${messages}`;
  const record = (tx: Transaction): Promise<void> =>
    recordExecution(tx, core, generation, { status: "failed", outcome: "none", reason });
  await committed(() => core.store.write(tenantId, record));
}
