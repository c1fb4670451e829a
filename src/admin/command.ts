import { z } from "zod";
import type { ListingConfig } from "../config.ts";
import type { Core, Operation, OperatorActor } from "../core/gate/operation.ts";
import { operate as callAsOperator } from "../core/gate/operator.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { findWorkspace } from "../core/workspace/workspaces.ts";
import { type Option, type Own, optionOf, optionsOf, type Typed } from "./options.ts";
import { render } from "./render.ts";

/** What commands run with, in the running service or in a process of their own. */
export interface AdminContext {
  readonly core: Core;
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
  /** The operator's name on their machine, for the audit trail. */
  readonly operator?: string | undefined;
  /** What the operator typed to confirm the command; absent before that. */
  readonly confirmed?: string;
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
  readonly noun: string;
  readonly verb: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Reads the options by their keys. */
  readonly input: z.ZodObject;
  /** It may create the store in a data folder without one. */
  readonly startsStore: boolean;
  /** Parses the input and runs; the text is for a terminal of that many columns. Throws ServiceError. */
  execute(context: AdminContext, typed: unknown, columns?: number): Promise<Outcome>;
}

/** Nouns, each with what it is about and its commands. */
export type Nouns = Readonly<Record<string, readonly [about: string, commands: readonly Command[]]>>;

interface Declaration<E extends Readonly<Record<string, Own>>, R> {
  /** Without it, the operation's. */
  readonly summary?: string;
  /** Options that are no field of the operation. */
  readonly own?: E;
  readonly startsStore?: boolean;
  /** A constant note, or one computed from the result; null for none. */
  readonly note?: string | ((result: NoInfer<R>) => string | null);
  /** The result as text; without it, its fields. */
  show?(result: NoInfer<R>, columns: number | undefined): string;
  failure?(result: NoInfer<R>): string | null;
}

type OwnOptions = Readonly<Record<string, Own>>;
type Values<E extends OwnOptions> = { readonly [Name in keyof E]: z.output<E[Name][2]> };

/** What a command over an operation adds to it. */
interface Over<I extends z.ZodObject, E extends OwnOptions, R> extends Declaration<E, R> {
  /** How fields of the operation are typed, where that is not read off its schema. */
  readonly options?: { readonly [Field in keyof z.input<I>]?: Typed };
  /** It is about a workspace that it makes. */
  readonly isNew?: true;
  /** What is done, where it is more than to call the operation with the input. */
  run?(context: WorkspaceContext, input: z.input<I>, own: Values<E>): Promise<R>;
}

interface Task<E extends OwnOptions, R> extends Declaration<E, R> {
  run(context: AdminContext, own: Values<E>): Promise<R>;
}

/** A command over an operation, in the workspace that `--workspace` names. */
export function command<I extends z.ZodObject, O extends z.ZodType, E extends OwnOptions, R = z.output<O>>(
  name: string,
  operation: Operation<I, O, OperatorActor>,
  declared?: Over<I, E, R>,
): Command;
export function command(
  name: string,
  operation: Operation<z.ZodObject, z.ZodType, OperatorActor>,
  declared: Over<z.ZodObject, OwnOptions, unknown> = {},
): Command {
  const { options = {}, own: ownOptions = {}, isNew, run = (at, input) => at.operate(operation, input) } = declared;
  const { shape } = operation.input;
  const fields = [...(isNew ? [] : [WORKSPACE]), ...optionsOf(shape, options)];
  const all = [...fields, ...Object.entries(ownOptions).map(([field, given]) => optionOf(field, given))];
  const summary = operation.summary.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  return declare(name, all, { summary, ...declared }, async (context, values) => {
    const workspace = String(values.workspace);
    const tenantId = isNew ? context.core.newId() : (await findWorkspace(context.core, workspace)).id;
    const at = { ...context, tenantId, workspace, operate: operatorIn(context, tenantId) };
    const { confirmed } = context;
    const input = picked(values, (field) => field !== "workspace" && !(field in ownOptions));
    const confirmation = "confirmed" in shape && confirmed !== undefined ? { confirmed } : {};
    return run(
      at,
      { ...confirmation, ...input },
      picked(values, (field) => field in ownOptions),
    );
  });
}

const WORKSPACE = optionOf("workspace", ["NAME", "workspace, by name or id", z.string().min(1)]);

/** A command about the service, or about several workspaces. */
export function task<E extends OwnOptions, R>(name: string, declared: Task<E, R>): Command;
export function task(name: string, declared: Task<OwnOptions, unknown>): Command {
  const options = Object.entries(declared.own ?? {}).map(([field, given]) => optionOf(field, given));
  return declare(name, options, declared, (context, values) => declared.run(context, values));
}

type Given = Readonly<Record<string, unknown>>;

const picked = (values: Given, isMeant: (field: string) => boolean): Given =>
  Object.fromEntries(Object.entries(values).filter(([field]) => isMeant(field)));

function declare(
  name: string,
  options: readonly Option[],
  { summary = "", startsStore = false, note, show, failure }: Declaration<OwnOptions, unknown>,
  run: (context: AdminContext, values: Given) => Promise<unknown>,
): Command {
  const [noun = "", verb = ""] = name.split(" ");
  const input = z.strictObject(Object.fromEntries(options.map(({ key, schema }) => [key, schema])));
  const said = { name, noun, verb, summary, options, input, startsStore };
  return {
    ...said,
    async execute(context, typed, columns) {
      const given = parseInput(input, typed);
      const values = options.map(({ key, field }) => [field, given[key]] as const);
      const result = await run(context, Object.fromEntries(values.filter(([, value]) => value !== undefined)));
      return {
        result,
        text: show?.(result, columns) ?? render(result, columns),
        note: typeof note === "function" ? note(result) : (note ?? null),
        failure: failure?.(result) ?? null,
      };
    },
  };
}
