import type { ExecutionReason } from "../../store/tables/workflows.ts";
import { type ClaimedWork, deleteWork } from "../collection/to-examine-queries.ts";
import { endClaim } from "../gate/claims.ts";
import type { Core } from "../gate/dependencies.ts";
import { mayRetry, RETRY, retryAt } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { ServiceError } from "../kernel/error.ts";
import {
  confirmReservation,
  giveUpReservation,
  releaseReservation,
} from "../payment-links/issuing/finish-reservation.ts";
import { type MintOutcome, mintReservation, UnclearMint } from "../payment-links/issuing/mint-links.ts";
import { examineInvoice, type Generation, recordExecution, recordLinksMade } from "./examine-invoice.ts";

/** Links that are minted at once. */
const AT_ONCE = 12;

/** Another attempt may succeed; other errors wait for the invoice to change. */
const WORTH_RETRYING: readonly string[] = ["integration_unavailable", "internal_error", "conflict"];

/**
 * Mints the links of a generation, some at once, and confirms those together, with the history in the same transaction. A refused
 * reservation is released, and the history says why; that never rejects. After `stop` the rest is left for the next process.
 */
async function generateLinks(core: Core, generation: Generation, stop?: AbortSignal) {
  const { tenantId, reservationIds } = generation;
  const refusals: ServiceError[] = [...generation.refusals];
  let unclear = false;
  for (let start = 0; start < reservationIds.length; start += AT_ONCE) {
    const [rest, next] = [reservationIds.slice(start), reservationIds.slice(start, start + AT_ONCE)];
    if (stop?.aborted === true) {
      await releaseReservations(core, tenantId, rest);
      unclear = true;
      break;
    }
    const failed = await makeReserved(core, generation, next);
    for (const { reservationId, outcome, error } of failed) {
      if (error instanceof UnclearMint) unclear = true;
      else {
        await giveUpReservation(core, tenantId, { reservationId, outcome });
        refusals.push(error);
      }
    }
  }
  await recordRefusals(core, generation, refusals);
  return { retry: refusals.some(({ code }) => WORTH_RETRYING.includes(code)), unclear };
}

/** A reservation whose link could not be made, and how that fared at the provider; null where nobody knows. */
interface Failed {
  readonly reservationId: string;
  readonly outcome: MintOutcome | null;
  readonly error: ServiceError;
}

/** Answers which reserved links could not be made, and why. What nobody expected is tried again soon, and rejects. */
async function makeReserved(core: Core, generation: Generation, reservationIds: readonly string[]) {
  const { tenantId } = generation;
  const failed: Failed[] = [];
  const minted: Ending[] = [];
  const mint = async (reservationId: string) => {
    try {
      minted.push({ reservationId, outcome: await mintReservation(core, tenantId, reservationId) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failed.push({ reservationId, outcome: null, error });
    }
  };
  try {
    await allDone(reservationIds.map(mint));
    return [...failed, ...(await confirm(core, tenantId, { endings: minted, generation }))];
  } catch (error) {
    await releaseReservations(core, tenantId, reservationIds);
    throw error;
  }
}

async function releaseReservations(core: Core, tenantId: string, reservationIds: readonly string[]) {
  for (const reservationId of reservationIds) await releaseReservation(core, { tenantId, reservationId, attempts: 1 });
}

/** Waits for all of them; then rejects with the first failure, if any. */
async function allDone(work: readonly Promise<void>[]) {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

interface Ending {
  readonly reservationId: string;
  readonly outcome: MintOutcome;
}

/** Answers those that could not be confirmed: a refusal comes before anything is written. */
const confirm = workStep({
  name: "confirmGeneratedLink",
  async run(context, { generation, endings }: { generation: Generation; endings: readonly Ending[] }) {
    const failed: Failed[] = [];
    for (const ending of endings)
      await confirmReservation(context, ending).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        failed.push({ ...ending, error });
      });
    if (failed.length < endings.length) await recordLinksMade(context.tx, context.core, generation);
    return failed;
  },
});

async function recordRefusals(core: Core, generation: Generation, refusals: readonly ServiceError[]) {
  // A conflict is no failure: the invoice changed meanwhile, and is examined again soon.
  const told = refusals.filter(({ code }) => code !== "conflict");
  if (told.length === 0) return;
  const { tenantId, invoiceId, reservationIds } = generation;
  core.log.warn({ tenantId, invoiceId, err: told[0] }, "auto_generate.failed");
  const errors = [...new Set(told.map(({ message }) => message))].sort();
  const of = reservationIds.length + generation.refusals.length;
  const reason = { code: of === 1 ? "link_refused" : "links_refused", refused: told.length, of, errors } as const;
  await recordFailure(core, tenantId, { generation, reason });
}

const recordFailure = workStep({
  name: "recordGenerationFailure",
  run: ({ tx, core }, { generation, reason }: { generation: Generation; reason: ExecutionReason }) =>
    recordExecution(tx, core, generation, { status: "failed", outcome: "none", reason }),
});

/**
 * Runs the workflows for a claimed invoice, and removes it from the queue or leaves it there until its next installment comes
 * into the window. Links that could not be made are tried again for about a day. Rejects with unexpected errors.
 */
export async function workOnInvoice(core: Core, work: ClaimedWork, stop?: AbortSignal) {
  const next = await workedOn(core, work, stop);
  if (next === null) await removeWork(core, work.tenant_id, work);
  else await endClaim(core, "workflow_work", work, next);
}

const removeWork = workStep({ name: "removeWork", run: ({ tx }, work: ClaimedWork) => deleteWork(tx, work) });

/** Answers when the invoice is due again; null when that needs a change of it. */
async function workedOn(
  core: Core,
  { tenant_id: tenantId, invoice_id: invoiceId, attempts }: ClaimedWork,
  stop?: AbortSignal,
): Promise<{ next_attempt_at: string; attempts: number; queued_at?: string } | null> {
  const { generation, reservedUntil, nextAt } = await examineInvoice(core, tenantId, invoiceId);
  const again: string[] = [];
  if (reservedUntil !== null) again.push(reservedUntil, retryAt(core, RETRY.busy));
  if (generation !== null) {
    const { retry, unclear } = await generateLinks(core, generation, stop);
    if (unclear) again.push(retryAt(core, RETRY.unclear));
    if (retry && mayRetry(RETRY.links, attempts)) again.push(retryAt(core, RETRY.links, attempts));
  }
  const next_attempt_at = again.sort().at(-1);
  if (next_attempt_at !== undefined) return { next_attempt_at, attempts };
  return nextAt === null ? null : { next_attempt_at: nextAt, attempts: 0, queued_at: nextAt };
}
