import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import { ServiceError } from "../../src/core/kernel/error.ts";
import type { Transaction } from "../../src/store/store.ts";
import { recordAccountAct } from "../account-acts.ts";
import { checkCurrentPassword, type Reproving } from "../current-password.ts";
import { browserOf } from "../known-browsers.ts";
import { deleteSessionsOf } from "../members/queries.ts";
import { holdPassword } from "../session-queries.ts";
import { checkCode, factorPlace } from "./check.ts";
import { looksLikeCode, newRecoveryCodes, recoveryCodeHash, stepOfCode } from "./codes.ts";
import { countRecoveryCodes, deleteFactor, insertFactor, replaceRecoveryCodes, selectFactor } from "./queries.ts";

/** A person's second factor as shown to them; `recoveryCodes` is the number left. */
export type FactorState = { isOn: false } | { isOn: true; since: string; recoveryCodes: number };

/** A person who changes their second factor, by their current password and a code. */
interface Changing extends Reproving {
  readonly code: string;
}

type Field = "current_password" | "code";

/** Why a second factor was not changed: the fields that are wrong, or that too many attempts were. */
export type ChangeRefused =
  | { refused: "wrong"; fields: readonly Field[] }
  | { refused: "too_many"; retryAfterSeconds: number };

/** The password that proved a change: their sessions have ended, and their browser starts a new one with it. */
interface Proved {
  readonly passwordHash: string;
}

export function readFactor(core: Core, personId: string): Promise<FactorState> {
  return core.store.directory(async (tx) => {
    const factor = await selectFactor(tx, personId);
    return factor === undefined
      ? { isOn: false }
      : { isOn: true, since: factor.confirmed_at, recoveryCodes: await countRecoveryCodes(tx, personId) };
  });
}

/**
 * Activates the second factor whose `secret` made the code: password sign-ins require one from now on. Every session of
 * the person ends. Returns the recovery codes, which are shown once. Throws `conflict` if there is an active one.
 */
export async function confirmEnrolment(
  core: Core,
  { secret, code, ...reproving }: Changing & { secret: string },
): Promise<(Proved & { codes: string[] }) | ChangeRefused> {
  const { personId } = reproving.session;
  const step = stepOfCode(secret, code, core.clock.now());
  const proof = await checkCurrentPassword(core, reproving);
  if ("refused" in proof) return proof.refused === "wrong" ? wrong("current_password", step === null && "code") : proof;
  if (step === null) return wrong("code");
  return core.store.directory(async (tx) => {
    if (!(await holdPassword(tx, personId, proof.passwordHash))) return wrong("current_password");
    const now = nowOf(core);
    const sealed = core.secrets.encrypt(secret, factorPlace(personId));
    const factor = { person_id: personId, secret: sealed, confirmed_at: now, last_step: String(step), created_at: now };
    if (!(await insertFactor(tx, factor))) throw new ServiceError("conflict", "A second factor is on already.");
    const codes = await newCodes(tx, personId);
    await deleteSessionsOf(tx, personId);
    await recordAccountAct({ tx, core, requestId: reproving.requestId }, personId, {
      name: "enableSecondFactor",
      notice: "factor_on",
    });
    return { codes, passwordHash: proof.passwordHash };
  }, personId);
}

/** Deactivates the second factor. Every session of the person ends. */
export function disableFactor(core: Core, changing: Changing): Promise<Proved | ChangeRefused> {
  return change(core, changing, async (tx, personId) => {
    await deleteFactor(tx, personId);
    await deleteSessionsOf(tx, personId);
    await recordAccountAct({ tx, core, requestId: changing.requestId }, personId, {
      name: "disableSecondFactor",
      notice: "factor_off",
    });
    return {};
  });
}

/** Creates new recovery codes; earlier ones become invalid. */
export function renewRecoveryCodes(core: Core, changing: Changing): Promise<{ codes: string[] } | ChangeRefused> {
  return change(core, changing, async (tx, personId) => {
    const codes = await newCodes(tx, personId);
    await recordAccountAct({ tx, core, requestId: changing.requestId }, personId, {
      name: "renewRecoveryCodes",
      notice: "recovery_codes_renewed",
    });
    return { codes };
  });
}

/**
 * Changes an active second factor, which is locked meanwhile. Without the password no code is tried, so that a stolen
 * session can neither guess one nor use one up.
 */
async function change<T>(
  core: Core,
  { code, ...reproving }: Changing,
  work: (tx: Transaction, personId: string) => Promise<T>,
): Promise<(Proved & T) | ChangeRefused> {
  const { personId } = reproving.session;
  const proof = await checkCurrentPassword(core, reproving);
  if ("refused" in proof)
    return proof.refused === "wrong" ? wrong("current_password", !looksLikeCode(code) && "code") : proof;
  const browser = browserOf(reproving.session);
  const { address } = reproving;
  const checked = await checkCode(core, { personId, passwordHash: proof.passwordHash, code, address, browser });
  if ("refused" in checked) return checked.refused === "wrong" ? wrong("code") : checked;
  return core.store.directory(async (tx) => {
    if (!(await holdPassword(tx, personId, proof.passwordHash))) return wrong("current_password");
    if ((await selectFactor(tx, personId, "locked")) === undefined) return wrong("code");
    return { ...(await work(tx, personId)), passwordHash: proof.passwordHash };
  }, personId);
}

function wrong(...fields: (Field | false)[]): ChangeRefused {
  return { refused: "wrong", fields: fields.filter((field) => field !== false) };
}

async function newCodes(tx: Transaction, personId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => recoveryCodeHash(code) ?? []);
  await replaceRecoveryCodes(tx, personId, hashes);
  return codes;
}
