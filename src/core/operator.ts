import type { z } from "zod";
import { lockAdmin } from "../store/authority.ts";
import type { Transaction } from "../store/store.ts";
import type { AuditDetails } from "../store/tables.ts";
import type { Manager, OperatorActor } from "./actor.ts";
import { recordAudit } from "./audit.ts";
import type { Core } from "./core.ts";
import { ServiceError } from "./error.ts";
import type { Operation } from "./operation.ts";

/** What was done at the operators' terminal, for the audit trail of the workspace it was done in. */
interface OperatorAct {
  tenantId: string;
  /** The verb of the command, such as `createWorkspace`. */
  operation: string;
  objectType: string;
  objectId: string;
}

/** A member on the service's own pages; they must be an admin at that moment. */
export interface PageAdmin {
  memberId: string;
  requestId: string;
}

/** Writes the audit entry of an operator's mutation, in its own transaction (completions §1). */
export function recordOperatorAct(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, ...act }: OperatorAct,
): Promise<void> {
  const actor = { kind: "operator", tenantId } as const;
  return recordAudit(tx, core, { actor, ...act, requestId: core.newId(), outcome: "succeeded" });
}

/**
 * The same for what admins do on the pages as well; without `by` it is an operator. Throws `permission_denied`, which
 * undoes the mutation, for a person who is no admin.
 */
export async function recordAdminAct(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { tenantId, ...act }: OperatorAct,
  by?: PageAdmin,
): Promise<void> {
  if (by === undefined) return recordOperatorAct(tx, core, { tenantId, ...act });
  const { memberId, requestId } = by;
  const actor = { kind: "person", tenantId, memberId } as const;
  await assertManager(tx, actor);
  await recordAudit(tx, core, { actor, ...act, requestId, outcome: "succeeded" });
}

/** Calls an operation as an operator at the terminal, in a request of its own. Throws what the operation throws. */
export function operate<I extends z.ZodType, O extends z.ZodType>(
  core: Core,
  tenantId: string,
  called: Operation<I, O, OperatorActor>,
  input: z.input<I>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<z.output<O>> {
  const request = { core, requestId: core.newId(), ...(signal === undefined ? {} : { signal }) };
  return called.call({ kind: "operator", tenantId }, input, request);
}

/** One act of a {@link Manager}, for the audit trail. */
export interface ManagedAct {
  readonly actor: Manager;
  readonly operation: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly requestId: string;
  readonly details?: AuditDetails;
}

/**
 * Writes the audit entry of what a manager did, in its own transaction. Throws `permission_denied`, which undoes the
 * mutation, for a person who is no admin at that moment.
 */
export async function recordManagement(
  tx: Transaction,
  core: Pick<Core, "clock" | "newId">,
  { actor, ...act }: ManagedAct,
): Promise<void> {
  await assertManager(tx, actor);
  await recordAudit(tx, core, { actor, ...act, outcome: "succeeded" });
}
export type { Manager } from "./actor.ts";

/** Throws `permission_denied` for a person who is no admin at this moment; one who is stays it until the transaction ends. */
export async function assertManager(tx: Transaction, actor: Manager): Promise<void> {
  if (actor.kind === "person" && !(await lockAdmin(tx, actor)))
    throw new ServiceError("permission_denied", "Only an admin of the workspace can do that.");
}
