import type { Transaction } from "../../store/store.ts";
import type { AuditDetails } from "../../store/tables/audit.ts";
import type { Steering } from "../kernel/steering.ts";
import type { AnyActor, Reader } from "./actor.ts";
import type { KeptAuthor } from "./author.ts";
import type { Core } from "./dependencies.ts";

/** What an operation works with. Only `tx` reaches the store, and it is the caller's tenant's unless the operation says so. */
export interface RunContext<A extends AnyActor = Reader> {
  readonly actor: A;
  readonly tx: Transaction;
  /** The instant of the call, ISO 8601 UTC. */
  readonly now: string;
  readonly core: Core;
  readonly requestId: string;
  /** Names what a mutation changed, for its audit entries; null where it changed nothing, which leaves none. */
  audit(changed: AuditedChange): void;
  /** A list calls it with its page, from which a route may leave out the last rows. */
  readonly onPage?: (page: PageCursors) => void;
  /** A read that knows before its work what its answer follows from calls it with that as text. */
  readonly onVersion?: (version: string) => void;
  /** Runs work after a mutation is committed, such as a notice to other processes; its failure is only logged. */
  afterCommit(work: () => Promise<void>): void;
}

/** A page of a list, as a route is told of it. */
export interface PageCursors {
  /** The cursor with which the list goes on after a row of the page, by its index. */
  cursorAfter(row: number): string;
}

/** What an act has entries in the audit trail for. */
export type AuditedChange = AuditedObject | readonly AuditedObject[] | null;

export interface AuditedObject {
  type: string;
  id: string;
  /** `refused` where the act was not carried out; `succeeded` when left out. */
  outcome?: "succeeded" | "refused" | "failed";
  /** More about the change, in short texts. */
  details?: AuditDetails;
  /** Whose act it is, where it ends what an earlier call reserved. */
  keptAuthor?: KeptAuthor;
}

/** The request a call comes in: its id (echoed in errors), and the signal that stops it when access is withdrawn. */
export interface CallRequest {
  readonly core: Core;
  readonly requestId: string;
  readonly signal?: AbortSignal;
  /** The caller's name for the request, where the operation takes one. */
  readonly idempotencyKey?: string | undefined;
  /** Helps a caller who sent an unknown field. */
  readonly steering?: Steering;
  /** Called as long work progresses. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** Called with the page of a list. */
  readonly onPage?: (page: PageCursors) => void;
  /** Called with what the answer follows from, before it is computed. What it throws ends the call. */
  readonly onVersion?: (version: string) => void;
  /** Called when the answer is that of an earlier request with the same key. */
  readonly onReplay?: () => void;
}

/** `done` of `total` parts of a request's work; `message` says it in words, for people. */
export interface CallProgress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}
