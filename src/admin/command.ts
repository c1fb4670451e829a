import { z } from "zod";
import type { Config } from "../config.ts";
import { listErp } from "../core/erp-connections/operator-connection.ts";
import type { Operation, OperatorActor } from "../core/gate/operation.ts";
import { type ByOperator, operate as callAsOperator } from "../core/gate/operator.ts";
import { notFound, ServiceError } from "../core/kernel/error.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { Uuid } from "../core/kernel/wire-types.ts";
import { findWorkspace } from "../core/workspace/workspaces.ts";
import type { Typed } from "./fields.ts";
import { type Option, optionsOf, type Shape } from "./options.ts";

/** What commands run with, in the running service or in a process of their own. */
export interface AdminContext extends ByOperator, Pick<Config, "publicUrl" | "listing"> {
  /** The data folder that holds the encryption key; null where the key comes from the environment. */
  readonly keyFolder: string | null;
  /** Aborted when the service stops: commands stop waiting. */
  readonly signal: AbortSignal;
  /**
   * Runs a reserved sync to its end where no running service is sure to; `wait`: the operator waits for its result.
   * Null in the service itself, whose jobs run it.
   */
  readonly leadRun: ((run: { tenantId: string; syncRunId: string; wait: boolean }) => Promise<void>) | null;
}

/** What a command about one workspace runs with. */
export interface WorkspaceContext extends AdminContext {
  readonly tenantId: string;
  /** The workspace's name or id, as typed. */
  readonly workspace: string;
  readonly operate: ReturnType<typeof operatorIn>;
}

/** Calls operations in a workspace under the operator's name. Each throws what it throws. */
export const operatorIn =
  ({ core, operator: name, signal }: AdminContext, tenantId: string) =>
  <I extends z.ZodType, O extends z.ZodType>(called: Operation<I, O, OperatorActor>, input: z.input<I>) =>
    callAsOperator(core, tenantId, called, input, { name, signal });

/** The id of the connection that was asked for, or of the only one there is. Throws `not_found`, `validation_failed`. */
export async function connectionOf({ operate }: WorkspaceContext, asked: unknown) {
  const connections = await operate(listErp, { connection: Uuid.optional().parse(asked) });
  const [only, ...more] = connections.filter(({ id }) => asked === undefined || id === asked);
  if (only === undefined)
    throw notFound(
      "ERP connection",
      asked === undefined ? "yet: erp connect makes one" : `with the id ${asked}: erp list shows all`,
    );
  if (more.length > 0)
    throw new ServiceError("validation_failed", "The workspace has several ERP connections.", {
      details: [{ field: "connectionId", message: "says which (see erp list)" }],
    });
  return only.id;
}

/** What a command over an operation adds to it, and what one without an operation is. */
interface Declaration<E extends Shape, R> {
  /** Without it, the operation's. */
  readonly summary?: string;
  /** How fields are typed, where that is not read off their schemas. */
  readonly options?: { readonly [field: string]: Typed | undefined };
  /** What it takes that is no field of the operation. */
  readonly own?: E;
  /** It may create the store in a data folder without one; over an operation: it makes the workspace that it is about. */
  readonly startsStore?: boolean;
  /** A constant note, or one computed from the result; null for none. */
  readonly note?: string | ((result: NoInfer<R>) => string | null);
  /** What is shown of the result, one below the other: texts, and fields of objects. */
  show?(result: NoInfer<R>): readonly unknown[];
  failure?(result: NoInfer<R>): string | null;
}

type Values<E extends Shape> = z.output<z.ZodObject<E>>;

interface Over<I extends z.ZodObject, E extends Shape, R> extends Declaration<E, R> {
  readonly options?: { readonly [Field in keyof z.input<I>]?: Typed };
  /** What is done, where it is more than to call the operation with the input. */
  run?(context: WorkspaceContext, input: z.input<I> & Values<E>): Promise<R>;
}

interface Task<E extends Shape, R> extends Declaration<E, R> {
  run(context: AdminContext, own: Values<E>): Promise<R>;
}

const WORKSPACE = { workspace: z.string().min(1).describe("workspace, by name or id") };

/** A command over an operation, in the workspace that `--workspace` names. */
export function command<I extends z.ZodObject, O extends z.ZodType, E extends Shape, R = z.output<O>>(
  name: string,
  operation: Operation<I, O, OperatorActor>,
  declared?: Over<I, E, R>,
): Command;
export function command(
  name: string,
  operation: Operation<z.ZodObject, z.ZodType, OperatorActor>,
  { options, own, ...declared }: Over<z.ZodObject, Shape, unknown> = {},
) {
  const { shape } = operation.input;
  const call = async (at: WorkspaceContext, { connectionId: asked, ...input }: Given) =>
    at.operate(operation, "connectionId" in shape ? { ...input, connectionId: await connectionOf(at, asked) } : input);
  const { run = call, startsStore: isNew } = declared;
  const fields = { ...(isNew ? {} : WORKSPACE), ...shape, ...own };
  const summary = operation.summary.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  return declare(
    name,
    optionsOf(fields, options),
    { summary, ...declared },
    async (context, { workspace, ...input }) => {
      const tenantId = isNew ? context.core.newId() : (await findWorkspace(context, String(workspace))).id;
      const operate = operatorIn(context, tenantId);
      return run({ ...context, tenantId, workspace: String(workspace), operate }, input);
    },
  );
}

/** A command about the service, or about several workspaces. */
export function task<E extends Shape, R>(name: string, declared: Task<E, R>): Command;
export function task(name: string, { own = {}, options, run, ...words }: Task<Shape, unknown>) {
  return declare(name, optionsOf(own, options), words, (context, given) =>
    run(context, parseInput(z.strictObject(own), given)),
  );
}

type Given = Readonly<Record<string, unknown>>;

function declare(
  name: string,
  options: readonly Option[],
  { summary = "", startsStore = false, note, show = (result) => [result], failure }: Declaration<Shape, unknown>,
  run: (context: AdminContext, given: Given) => Promise<unknown>,
) {
  /** Reads what was typed for the options, by their fields. */
  const input = z.strictObject(Object.fromEntries(options.map(({ field, schema }) => [field, schema])));
  return {
    ...{ name, summary, options, input, startsStore },
    /** Runs with what the options say, by their fields. Throws ServiceError. */
    async execute(context: AdminContext, given: Given) {
      const result = await run(context, given);
      return {
        result,
        shown: show(result),
        note: typeof note === "function" ? note(result) : (note ?? null),
        /** The reason, for a result that reports a failure. */
        failure: failure?.(result) ?? null,
      };
    },
  };
}

/** One thing an operator can do at the terminal, declared once for the help, the validation and the execution. */
export type Command = ReturnType<typeof declare>;
