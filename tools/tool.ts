import { z } from "zod";
import type { Actor, AssistantActor, CallRequest, PageCursors, Scope } from "../src/core/gate/operation.ts";
import { assertPermitted, deniedBecause } from "../src/core/gate/permission.ts";
import { parseInput } from "../src/core/kernel/validation.ts";
import { type Callable, recordOf, type ToolOperation } from "./callable.ts";
import { answerFields, rowFields } from "./fields.ts";
import { keyed } from "./idempotency-key.ts";
import { type ListAnswer, withinBudget } from "./page-budget.ts";
import { inputSchema, type ObjectSchema, outputSchema } from "./schemas.ts";
import { readSent } from "./sent-arguments.ts";
import { MOST_ROWS, onceEach, type SharedFields, sharedKey } from "./shared-fields.ts";
import type { ViewName } from "./views.ts";

/** A tool's annotations in the protocol's words; all four are set, because the defaults assume the worst. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One tool of the assistant route (completions §3). */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model, which pays for each word in every conversation. */
  readonly description: string;
  readonly annotations: Annotations;
  /** The scope that a connection must have been granted. */
  readonly scope: Scope;
  /** Whether only an admin of the workspace may call it. */
  readonly admin: boolean;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  /** The view in which clients may show its results. */
  readonly view?: ViewName;
  /** Throws ServiceError for errors of the caller. */
  call(actor: AssistantActor, args: unknown, request: CallRequest): Promise<object>;
}

interface Declaration extends Pick<Tool, "name" | "title" | "description" | "view"> {
  readonly operation: ToolOperation;
  /** The field that identifies a row, in a list whose rows have no `id`. */
  readonly rowKey?: readonly string[];
  /** Fields that several of its rows share. */
  readonly shared?: SharedFields;
  /** Arguments that say nothing to a model, though they are taken. */
  readonly unlisted?: readonly string[];
  /** True where its answer, which is no list, is given by `fields` too. */
  readonly picked?: true;
}

/** For tools that only read the workspace's data: a repeated call changes nothing, and nothing outside is reached. */
const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * For tools that write: clients ask the person first about acts that cannot be undone or that customers may act on
 * (completions §11). A repeated call with the same key or object changes nothing.
 */
const ACTS_OUTSIDE: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

/**
 * Makes a tool of an operation: annotations, scope, role and both schemas are read off it, once. An operation with an
 * idempotency key gets an argument for it; a list gets `fields`. @throws Error for an operation that assistants may not
 * call, or a schema that some clients would drop.
 */
export function tool({ operation, rowKey = ["id"], shared, unlisted = [], picked, ...face }: Declaration): Tool {
  try {
    const { scope, permission, output } = operation;
    if (scope === null) throw new Error(`${operation.id} is not for assistants.`);
    const isList = "pagination" in output.shape;
    const listing = isList ? listed(operation, { rowKey, shared }) : picked ? pickedAnswer(operation) : null;
    const { input, call } = listing ?? (operation.idempotency ? keyed(operation) : operation);
    return {
      ...face,
      annotations: permission === "readonly" ? READ_ONLY : ACTS_OUTSIDE,
      scope,
      admin: permission === "admin",
      input: inputSchema(input, unlisted),
      output: outputSchema(output, { rowKey: isList ? (shared?.fields.slice(0, 1) ?? rowKey) : undefined, picked }),
      call: (actor, args, request) => call(actor, readSent(input, args), request),
    };
  } catch (error) {
    throw new Error(`${face.name}: ${error instanceof Error ? error.message : "no tool"}`, { cause: error });
  }
}

/** Drops the fields of each row that were not requested. */
function listed(
  operation: ToolOperation,
  { rowKey, shared }: { rowKey: readonly string[]; shared: SharedFields | undefined },
): Callable {
  const { argument, pick } = rowFields(operation.output, rowKey);
  const input = operation.input.extend({ fields: argument.optional() });
  return {
    input,
    async call(actor, args, request) {
      const { fields, ...rest } = recordOf(args);
      if (fields === undefined) {
        const { list, page } = await pageOf(operation, { actor, args, request });
        return withinBudget(list, page);
      }
      assertPermitted(operation, actor);
      // Reports all faults at once.
      const { fields: asked = [], include, limit } = Fields.parse(parseInput(input, args, request.steering));
      const key = sharedKey(shared, rest, asked);
      if (key === null) {
        const { list, page } = await pageOf(operation, { actor, args: rest, request });
        // What is to be included is asked for.
        return withinBudget(pick(list, include === undefined ? asked : [...asked, include]), page);
      }
      const all = await pageOf(operation, { actor, args: { ...rest, limit: MOST_ROWS }, request });
      const { list, page } = onceEach(all, { key, limit });
      return withinBudget(pick(list, asked, [key]), page);
    },
  };
}

const Fields = z.looseObject({
  fields: z.array(z.string()).optional(),
  include: z.string().optional(),
  limit: z.int().default(MOST_ROWS),
});

/** Drops the fields of an answer that were not requested. */
function pickedAnswer(operation: ToolOperation): Callable {
  const { argument, pick } = answerFields(operation.output);
  const input = operation.input.extend({ fields: argument.optional() });
  return {
    input,
    async call(actor, args, request) {
      const { fields, ...rest } = recordOf(args);
      if (fields === undefined) return operation.call(actor, args, request);
      assertPermitted(operation, actor);
      const { fields: asked = [] } = Fields.parse(parseInput(input, args, request.steering));
      return pick(await operation.call(actor, rest, request), asked);
    },
  };
}

/** A page of a list and the cursors after its rows. */
async function pageOf(
  { id, call }: ToolOperation,
  { actor, args, request }: { actor: AssistantActor; args: unknown; request: CallRequest },
): Promise<{ list: ListAnswer; page: PageCursors }> {
  const pages: PageCursors[] = [];
  const list = await call(actor, args, { ...request, onPage: (page) => pages.push(page) });
  const page = pages.at(-1);
  if (page === undefined) throw new Error(`${id} names no cursors of its page.`);
  return { list: withoutPolling(list), page };
}

/** A list as assistants have it, without `pagination.as_of`: a model, which does not poll, would take it for how old the ERP's figures are. */
export function withoutPolling(list: ListAnswer): ListAnswer {
  const { as_of: _, ...pagination } = Object(list.pagination);
  return { ...list, pagination };
}

/** Whether a call of the tool would be allowed now; tools/list has these tools only. */
export function mayCall(actor: Actor, { scope, admin }: Pick<Tool, "scope" | "admin">) {
  return deniedBecause({ callers: ASSISTANTS, permission: admin ? "admin" : "readonly", scope }, actor) === null;
}

const ASSISTANTS = ["assistant"] as const;
