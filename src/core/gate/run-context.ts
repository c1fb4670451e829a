import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { Actor, AnyActor } from "./actor.ts";
import type { Core } from "./core.ts";
import type { Steering } from "./steering.ts";

/** What an operation works with. Only `tx` reaches the store, and it is the caller's tenant's unless the operation says so. */
export interface RunContext<A extends AnyActor = Actor> {
  readonly actor: A;
  readonly tx: Transaction;
  /** The instant of the call, ISO 8601 UTC. */
  readonly now: string;
  readonly core: Core;
  readonly requestId: string;
  /** Names what a mutation changed, for its audit entry; null where it changed nothing, which leaves none. */
  audit(object: AuditedObject | null): void;
  /** Does something once a mutation is committed, such as telling other processes; what fails there is only logged. */
  afterCommit(work: () => Promise<void>): void;
}

export interface AuditedObject {
  type: string;
  id: string;
  /** It was left undone, and that is what there is to say; `succeeded` when left out. */
  outcome?: "refused";
  /** What else there is to say of the change, in short texts. */
  details?: AuditDetails;
}

/** The request a call comes in: its id (echoed in errors), and the signal that stops it when access is withdrawn. */
export interface CallRequest {
  readonly core: Core;
  readonly requestId: string;
  readonly signal?: AbortSignal;
  /** The caller's name for the request, where the operation takes one. */
  readonly idempotencyKey?: string | undefined;
  /** Helps who sent an unknown field. */
  readonly steering?: Steering;
  /** Told how far a long piece of work is, as it goes on. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** Told when the answer is that of an earlier request with the same key. */
  readonly onReplay?: () => void;
}

/** `done` of `total` parts of a request's work; `message` says it in words, for people. */
export interface CallProgress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}
