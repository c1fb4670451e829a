import type { z } from "zod";
import type { ErrorCode } from "../kernel/error.ts";
import type { Actor, ActorKind, AnyActor, Permission, Scope } from "./actor.ts";
import type { CallRequest } from "./run-context.ts";

/** An operation's declaration without its code. */
export interface Face<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** The operationId of the REST API and the name in the audit trail. */
  readonly id: string;
  /** Its heading in the API's description; none for what only people, operators or jobs call. */
  readonly tag?: Tag;
  /** A few words, such as `List invoices`. */
  readonly summary: string;
  /** More for callers, in Markdown. */
  readonly description?: string;
  /** Codes of service.md §7 besides those that any operation, list or body can cause. */
  readonly errors?: readonly ErrorCode[];
  /** The kinds of actors that may call it; nobody else can (completions §1). */
  readonly callers: readonly ActorKind[];
  /** `readonly`: no side effects, any of the callers. `admin`: completions §1. */
  readonly permission: Permission;
  /** A read for admins only, where a person calls it. */
  readonly admins?: true;
  /** A change of the caller's own, which every member may make. */
  readonly own?: true;
  /** The scope an assistant needs; null keeps the operation off the assistant route (completions §3). */
  readonly scope: Scope | null;
  /** One sentence, shown in the API description and to assistants. */
  readonly sideEffects: string;
  /** Carried out once per key of a caller (service.md §8): the key is required. */
  readonly idempotency?: true;
  readonly input: I;
  readonly output: O;
}

/** One thing the service can do, declared once; every route is a face of it (ARCHITECTURE.md). */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, A extends AnyActor = Actor>
  extends Face<I, O> {
  /**
   * The gate, always in this order: caller, permission, idempotency key, input, transaction, authority again for a mutation,
   * the answer of an earlier request, `run`, output, audit entry. Throws ServiceError for a caller's mistakes.
   */
  readonly call: (actor: A, input: unknown, request: CallRequest) => Promise<z.output<O>>;
}

/** The headings of the API's description, with the text of each. */
export const TAGS = {
  Workspace: "Whose key this is and what it may do.",
  Invoices: "Invoices synced from the ERP or made in the service, with their installments and collection state.",
  "Payment links": "Pages a customer pays an installment at, and the providers behind them.",
  Payments: "Payments that a provider confirmed, and the write-back of their receipts to the ERP.",
  "ERP connections": "Connections to ERP systems and the runs that pull from them.",
  Tasks: "What waits for a person.",
  Workflows: "What runs by itself after a delivery, and what it did.",
  Aging: "Installment-level aging of what is owed now, on the workspace's business day.",
} as const;
type Tag = keyof typeof TAGS;
