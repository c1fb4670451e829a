import type { Core } from "../gate/dependencies.ts";
import { workStep } from "../gate/work-step.ts";
import { ServiceError } from "../kernel/error.ts";
import {
  confirmReservation,
  giveUpReservation,
  releaseReservation,
} from "../payment-links/issuing/finish-reservation.ts";
import { type MintOutcome, mintReservation, UnclearMint } from "../payment-links/issuing/mint-links.ts";
import type { Generation } from "./examine-invoice.ts";
import { recordExecution, recordLinksMade } from "./record-execution.ts";

/** Links that are minted at once. */
const AT_ONCE = 12;

/** Another attempt may succeed; other errors wait for the invoice to change. */
const WORTH_RETRYING: readonly string[] = ["integration_unavailable", "internal_error", "conflict"];

/**
 * Mints the links of a generation and confirms each, with the history in the same transaction. A refused reservation is
 * released, and the history says why; that never rejects.
 */
export async function generateLinks(core: Core, generation: Generation) {
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

/** Waits for all of them; then rejects with the first failure, if any. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Answers why a reserved link could not be made; null when it was. */
async function makeReserved(core: Core, generation: Generation, reservationId: string): Promise<ServiceError | null> {
  const { tenantId } = generation;
  let outcome: MintOutcome | null = null;
  try {
    outcome = await mintReservation(core, tenantId, reservationId);
    await confirm(core, tenantId, { reservationId, outcome, generation });
    return null;
  } catch (error) {
    if (error instanceof UnclearMint) return error;
    if (!(error instanceof ServiceError)) {
      await releaseReservation(core, { tenantId, reservationId, attempts: 1 });
      throw error;
    }
    await giveUpReservation(core, tenantId, { reservationId, outcome });
    return error;
  }
}

const confirm = workStep({
  name: "confirmGeneratedLink",
  async run(
    context,
    { generation, ...ending }: { generation: Generation; reservationId: string; outcome: MintOutcome },
  ) {
    await confirmReservation(context, ending);
    await recordLinksMade(context.tx, context.core, generation);
  },
});

async function recordRefusals(core: Core, generation: Generation, refusals: readonly ServiceError[]): Promise<void> {
  // A conflict is no failure: the invoice changed meanwhile, and is examined again soon.
  const told = refusals.filter(({ code }) => code !== "conflict");
  if (told.length === 0) return;
  const { tenantId, invoiceId, reservationIds } = generation;
  core.log.warn({ tenantId, invoiceId, err: told[0] }, "auto_generate.failed");
  const messages = [...new Set(told.map(({ message }) => message))].sort().join(" ");
  const wanted = reservationIds.length + generation.refusals.length;
  const reason = wanted === 1 ? messages : `${told.length} of ${wanted} links could not be made: ${messages}`;
  await recordFailure(core, tenantId, { generation, reason });
}

const recordFailure = workStep({
  name: "recordGenerationFailure",
  run: ({ tx, core }, { generation, reason }: { generation: Generation; reason: string }) =>
    recordExecution(tx, core, generation, { status: "failed", outcome: "none", reason }),
});
