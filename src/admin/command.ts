import { z } from "zod";
import type { ListingConfig } from "../config.ts";
import type { Core, Operation, OperatorActor } from "../core/gate/operation.ts";
import { operate as callAsOperator } from "../core/gate/operator.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { findWorkspace } from "../core/workspace/workspaces.ts";

/** How a field of a command's input is given on the command line. */
interface Flag {
  /** The placeholder of the value in the help; null for a switch. */
  value: string | null;
  description: string;
  /** The value is read from standard input, so that secrets stay out of process lists. */
  stdin?: boolean;
  /** Number of lines on standard input, each prompted for separately; one by default. */
  lines?: readonly string[];
  repeatable?: boolean;
}

/** Fields of commands' inputs by their schema. */
export const flags = z.registry<Flag>();

/** An option with a value; `value` is its placeholder in the help. */
export function option<S extends z.ZodType>(schema: S, value: string, description: string, more: Repeatable = {}): S {
  return described(schema, { value, description, ...more });
}

type Repeatable = Pick<Flag, "repeatable">;

/** An option whose value is read from standard input; `lines` are the prompts, where it has several. */
export function secret<S extends z.ZodType>(schema: S, description: string, lines?: readonly string[]): S {
  return described(schema, { value: null, stdin: true, description, ...(lines === undefined ? {} : { lines }) });
}

/** An option without a value. */
export function toggle(description: string) {
  return described(z.boolean().optional(), { value: null, description });
}

/** A schema of its own: one shared by two options would have the description of the second only. */
function described<S extends z.ZodType>(schema: S, flag: Flag): S {
  const own = schema.clone();
  const known: z.ZodType = own;
  flags.add(known, flag);
  return own;
}

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

/** One thing an operator can do at the terminal, declared once for the help, the validation and the execution. */
export interface Command {
  /** Noun and verb, as typed: `erp sync`. */
  readonly name: string;
  readonly noun: string;
  readonly verb: string;
  readonly summary: string;
  /** Fields by the names that operations take: `pullFrom` is `--pull-from`, `api_access` is `--api-access`. */
  readonly input: z.ZodObject;
  /** It may create the store in a data folder without one. */
  readonly startsStore: boolean;
  /** Parses the input and runs. Throws ServiceError. */
  execute(context: AdminContext, input: unknown): Promise<unknown>;
  /** A note for the operator besides the result; null for none. */
  note(result: unknown): string | null;
  /** The result as text for a terminal of that many columns; null for the default, which lists its fields. */
  show(result: unknown, columns?: number): string | null;
  /** The reason, for a result that reports a failure; else null. */
  failure(result: unknown): string | null;
}

interface Declaration<S extends z.ZodObject, C, R> extends Partial<Pick<Command, "show" | "failure">> {
  summary: string;
  /** Nothing without it. */
  input?: S;
  startsStore?: true;
  /** The result is plain JSON: an object, or a list of objects of one shape. */
  run(context: C, input: z.output<S>): Promise<R>;
  /** A constant note, or one computed from the result. */
  note?: string | Command["note"];
}

/** A command by its name, such as `signing-key rotate`. */
export function command<S extends z.ZodObject, R>(name: string, declared: Declaration<S, AdminContext, R>): Command;
export function command(
  name: string,
  { run, input = NO_INPUT, note = () => null, ...declared }: Declaration<z.ZodObject, AdminContext, unknown>,
): Command {
  const [noun = "", verb = ""] = name.split(" ");
  return {
    name,
    noun,
    verb,
    startsStore: false,
    show: () => null,
    failure: () => null,
    input,
    ...declared,
    note: typeof note === "string" ? () => note : note,
    execute: async (context, given) => run(context, parseInput(input, given)),
  };
}

const NO_INPUT = z.strictObject({});

const WorkspaceOption = option(z.string().min(1), "NAME", "workspace, by name or id");

/** What a command about one workspace runs with. */
export interface WorkspaceContext extends AdminContext {
  readonly tenantId: string;
  /** The workspace's name or id, as typed. */
  readonly workspace: string;
  /** Calls an operation as the operator. Throws what it throws. */
  operate<I extends z.ZodType, O extends z.ZodType>(
    called: Operation<I, O, OperatorActor>,
    input: z.input<I>,
    options?: { signal: AbortSignal },
  ): Promise<z.output<O>>;
}

/** Calls operations in a workspace under the operator's name. */
export function operatorIn({ core, operator: name }: AdminContext, tenantId: string): WorkspaceContext["operate"] {
  return (called, input, options) => callAsOperator(core, tenantId, called, input, { ...options, name });
}

/** A command about the workspace that the option `--workspace` names, besides the options of its own `input`. */
export function workspaceCommand<S extends z.ZodObject, R>(
  name: string,
  declared: Declaration<S, WorkspaceContext, R>,
): Command;
export function workspaceCommand(
  name: string,
  { input: own = NO_INPUT, run, ...declared }: Declaration<z.ZodObject, WorkspaceContext, unknown>,
): Command {
  const input = z.strictObject({ workspace: WorkspaceOption, ...own.shape });
  return {
    ...command(name, { ...declared, input, run: async () => null }),
    async execute(context, given) {
      const { workspace, ...options } = parseInput(input, given);
      const { core } = context;
      const { id: tenantId } = await findWorkspace(core, workspace);
      return run({ ...context, tenantId, workspace, operate: operatorIn(context, tenantId) }, options);
    },
  };
}

/** `--pull-from` for `pullFrom`, `--password-stdin` for a `password` that is read from standard input. */
export function optionName(input: z.ZodObject, field: string): string {
  const schema = input.shape[field];
  const stdin = schema !== undefined && flags.get(schema)?.stdin === true;
  return `--${dashed(field)}${stdin ? "-stdin" : ""}`;
}

/** `pull-from` for `pullFrom` and `pull_from`. */
const dashed = (name: string): string => name.replace(/_|(?=[A-Z])/g, "-").toLowerCase();

/**
 * The option that a field of a core function's input came from: `installments[0].amount` from `--installment`, `username`
 * from `--user`, `webhookSecret` from `--secret-key-stdin` where that reads both; in words without an option.
 */
export function optionOf(input: z.ZodObject, field: string): string {
  const names = field
    .split(/[[\].]+/)
    .filter((part) => /^[a-z]/i.test(part))
    .map(dashed);
  for (const name of names) {
    const option = optionLike(input, name);
    if (option !== undefined) return optionName(input, option.field);
  }
  return `the ${(names.at(-1) ?? field).replaceAll("-", " ")}`;
}

/** The field of a command's input for a name: itself, a list item, a line of it, or a longer or shorter name. */
function optionLike({ shape }: z.ZodObject, name: string) {
  const fields = Object.entries(shape).map(([field, schema]) => ({ field, named: dashed(field), schema }));
  return (
    fields.find(({ named }) => named === name) ??
    fields.find(({ named }) => named === name.replace(/s$/, "")) ??
    fields.find(({ schema }) => flags.get(schema)?.lines?.includes(name.replaceAll("-", " "))) ??
    fields.find(({ named }) => name.startsWith(named) || name.endsWith(`-${named}`))
  );
}
