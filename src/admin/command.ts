import { z } from "zod";
import type { ListingConfig } from "../config.ts";
import type { Operation, OperatorActor } from "../core/gate/operation.ts";
import { type ByOperator, operate as callAsOperator } from "../core/gate/operator.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { findWorkspace } from "../core/workspace/workspaces.ts";
import { type Option, optionsOf, type Shape, type Typed } from "./options.ts";
import { render } from "./render.ts";

/** What commands run with, in the running service or in a process of their own. */
export interface AdminContext extends ByOperator {
  /** `{base_url}`: where people and payment providers reach the service. */
  readonly publicUrl: string;
  /** What the service tells registries of itself. */
  readonly listing: ListingConfig;
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
  /** Calls an operation as the operator. Throws what it throws. */
  operate<I extends z.ZodType, O extends z.ZodType>(
    called: Operation<I, O, OperatorActor>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
}

/** Calls operations in a workspace under the operator's name. */
export function operatorIn(
  { core, operator: name, signal }: AdminContext,
  tenantId: string,
): WorkspaceContext["operate"] {
  return (called, input) => callAsOperator(core, tenantId, called, input, { name, signal });
}

/** What a command answers: the result as JSON and as text, a note besides, and the reason where the result reports a failure. */
interface Outcome {
  readonly result: unknown;
  readonly text: string;
  readonly note: string | null;
  readonly failure: string | null;
}

/** One thing an operator can do at the terminal, declared once for the help, the validation and the execution. */
export interface Command {
  /** Noun and verb, as typed: `erp sync`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Reads the options by their fields. */
  readonly input: z.ZodObject;
  /** It may create the store in a data folder without one. */
  readonly startsStore: boolean;
  /** Parses the input and runs; the text is for a terminal of that many columns. Throws ServiceError. */
  execute(context: AdminContext, typed: unknown, columns?: number): Promise<Outcome>;
}

/** What a command over an operation adds to it, and what one without an operation is. */
interface Declaration<E extends Shape, R> {
  /** Without it, the operation's. */
  readonly summary?: string;
  /** How fields are typed, where that is not read off their schemas. */
  readonly options?: { readonly [field: string]: Typed | undefined };
  /** What it takes that is no field of the operation. */
  readonly own?: E;
  readonly startsStore?: boolean;
  /** A constant note, or one computed from the result; null for none. */
  readonly note?: string | ((result: NoInfer<R>) => string | null);
  /** The result as text; without it, its fields. */
  show?(result: NoInfer<R>, columns: number | undefined): string;
  failure?(result: NoInfer<R>): string | null;
}

type Values<E extends Shape> = z.output<z.ZodObject<E>>;

interface Over<I extends z.ZodObject, E extends Shape, R> extends Declaration<E, R> {
  readonly options?: { readonly [Field in keyof z.input<I>]?: Typed };
  /** It is about a workspace that it makes. */
  readonly isNew?: true;
  /** The input with what was left out and can be found. */
  complete?(context: WorkspaceContext, input: z.input<I>): Promise<z.input<I>>;
  /** What is done, where it is more than to call the operation with the input. */
  run?(context: WorkspaceContext, input: z.input<I>, own: Values<E>): Promise<R>;
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
  declared: Over<z.ZodObject, Shape, unknown> = {},
): Command {
  const { options, own = {}, isNew, complete = async (_, input) => input } = declared;
  const { run = async (at, input) => at.operate(operation, await complete(at, input)) } = declared;
  const { shape } = operation.input;
  const fields = { ...(isNew ? {} : WORKSPACE), ...shape, ...own };
  const summary = operation.summary.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  const typed = optionsOf(fields, { workspace: "NAME", ...options });
  return declare(name, typed, { summary, ...declared }, async (context, values) => {
    const workspace = String(values.workspace);
    const tenantId = isNew ? context.core.newId() : (await findWorkspace(context, workspace)).id;
    const at = { ...context, tenantId, workspace, operate: operatorIn(context, tenantId) };
    const { workspace: _, ...input } = Object.fromEntries(Object.entries(values).filter(([field]) => !(field in own)));
    return run(at, input, z.object(own).parse(values));
  });
}

/** A command about the service, or about several workspaces. */
export function task<E extends Shape, R>(name: string, declared: Task<E, R>): Command;
export function task(name: string, declared: Task<Shape, unknown>): Command {
  const { own = {}, options, run } = declared;
  return declare(name, optionsOf(own, options), declared, (context, values) =>
    run(context, z.object(own).parse(values)),
  );
}

type Given = Readonly<Record<string, unknown>>;

function declare(
  name: string,
  options: readonly Option[],
  { summary = "", startsStore = false, note, show, failure }: Declaration<Shape, unknown>,
  run: (context: AdminContext, values: Given) => Promise<unknown>,
): Command {
  const input = z.strictObject(Object.fromEntries(options.map(({ field, schema }) => [field, schema])));
  return {
    ...{ name, summary, options, input, startsStore },
    async execute(context, typed, columns) {
      const result = await run(context, parseInput(input, typed));
      return {
        result,
        text: show?.(result, columns) ?? render(result, columns),
        note: typeof note === "function" ? note(result) : (note ?? null),
        failure: failure?.(result) ?? null,
      };
    },
  };
}
