import { type Core, nowOf } from "../../src/core/gate/dependencies.ts";
import type { Transaction } from "../../src/store/store.ts";
import { accountAct } from "../account-acts.ts";
import type { WebSession } from "../sessions.ts";
import { type CodeChecked, checkCode, factorPlace, proves } from "./check.ts";
import { enrolmentUri, newRecoveryCodes, newSecret, recoveryCodeHash } from "./codes.ts";
import {
  countRecoveryCodes,
  deleteFactor,
  keepProvedSession,
  replaceRecoveryCodes,
  selectFactor,
  updateFactor,
  upsertUnconfirmed,
} from "./queries.ts";

/** A person's second factor as shown to them; `recoveryCodes` is the number left. */
export type FactorState = { isOn: false } | { isOn: true; since: string; recoveryCodes: number };

/** The person who changes their second factor, and their session. */
interface Changing {
  session: WebSession;
  code: string;
  requestId: string;
}

export function readFactor(core: Core, personId: string): Promise<FactorState> {
  return core.store.directory(async (tx) => {
    const since = (await selectFactor(tx, personId))?.confirmed_at ?? null;
    return since === null
      ? { isOn: false }
      : { isOn: true, since, recoveryCodes: await countRecoveryCodes(tx, personId) };
  });
}

/** Creates the secret of a second factor, inactive until a code confirms it; null if there is an active one. */
export async function beginEnrolment(
  core: Core,
  { personId, email }: WebSession,
): Promise<{ secret: string; uri: string } | null> {
  const secret = newSecret();
  const isBegun = await core.store.directory(async (tx) => {
    await upsertUnconfirmed(tx, {
      person_id: personId,
      secret: core.secrets.encrypt(secret, factorPlace(personId)),
      created_at: nowOf(core),
    });
    return (await selectFactor(tx, personId))?.confirmed_at === null;
  });
  return isBegun ? { secret, uri: enrolmentUri(secret, email) } : null;
}

/** The secret that waits for its first code, if any. */
export async function pendingEnrolment(
  core: Core,
  { personId, email }: WebSession,
): Promise<{ secret: string; uri: string } | null> {
  const factor = await core.store.directory((tx) => selectFactor(tx, personId));
  if (factor === undefined || factor.confirmed_at !== null) return null;
  const secret = core.secrets.decrypt(factor.secret, factorPlace(personId));
  return { secret, uri: enrolmentUri(secret, email) };
}

/**
 * Activates the second factor by its first code: password sign-ins require one from now on, and the person's other
 * browsers are signed out. Returns the recovery codes, which are shown once; null for a wrong code.
 */
export function confirmEnrolment(core: Core, { session, code, requestId }: Changing): Promise<string[] | null> {
  const { personId, id: sessionHash } = session;
  return core.store.directory(async (tx) => {
    if (!(await proves(core, tx, { personId, code, isConfirmed: false }))) return null;
    await updateFactor(tx, personId, { confirmed_at: nowOf(core) });
    await keepProvedSession(tx, { personId, sessionHash });
    const codes = await newCodes(tx, personId);
    await factorEnabled({ tx, core, requestId }, personId);
    return codes;
  });
}

/** Deactivates the second factor, with one of its codes. */
export async function disableFactor(core: Core, { session, code, requestId }: Changing): Promise<CodeChecked> {
  const { personId } = session;
  const checked = await checkCode(core, personId, code);
  if ("refused" in checked) return checked;
  await core.store.directory(async (tx) => {
    if (await deleteFactor(tx, personId)) await factorDisabled({ tx, core, requestId }, personId);
  });
  return checked;
}

/** Creates new recovery codes, with a code of the app; earlier ones become invalid. */
export async function renewRecoveryCodes(
  core: Core,
  { session: { personId }, code, requestId }: Changing,
): Promise<{ codes: string[] } | Exclude<CodeChecked, { ok: true }>> {
  const checked = await checkCode(core, personId, code);
  if ("refused" in checked) return checked;
  return core.store.directory(async (tx) => {
    const codes = await newCodes(tx, personId);
    await codesRenewed({ tx, core, requestId }, personId);
    return { codes };
  });
}

async function newCodes(tx: Transaction, personId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    personId,
    codes.flatMap((code) => recoveryCodeHash(code) ?? []),
  );
  return codes;
}

const factorEnabled = accountAct("enableSecondFactor", "factor_on");
const factorDisabled = accountAct("disableSecondFactor", "factor_off");
const codesRenewed = accountAct("renewRecoveryCodes", "recovery_codes_renewed");
