import { z } from "zod";
import { parseInput } from "../core/shared/validation.ts";
import type { AdminContext } from "./context.ts";

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

/** A schema shared by two options would have the description of the second only. */
class OptionFlags extends z.core.$ZodRegistry<Flag> {
  override add(...given: Parameters<z.core.$ZodRegistry<Flag>["add"]>): this {
    if (this.has(given[0])) throw new Error("this schema has a flag: register a clone of it");
    return super.add(...given);
  }
}

/** Fields of commands' inputs by their schema. */
export const flags = new OptionFlags();

/** One thing an operator can do at the terminal, declared once for the help, the validation and the execution. */
export interface Command {
  readonly noun: string;
  readonly verb: string;
  readonly summary: string;
  /** Field names in snake_case: `api_access` is `--api-access`. */
  readonly input: z.ZodObject;
  /** It may create the store in a data folder without one. */
  readonly startsStore: boolean;
  /** Parses the input and runs. Throws ServiceError. */
  execute(context: AdminContext, input: unknown): Promise<unknown>;
  /** A note for the operator besides the result; null for none. */
  note(result: unknown): string | null;
  /**
   * The result as text for a terminal of that many columns; null for the default, which lists its fields.
   */
  show(result: unknown, columns?: number): string | null;
  /** The reason, for a result that reports a failure; else null. */
  failure(result: unknown): string | null;
}

interface Declaration<S extends z.ZodObject, R> {
  noun: string;
  verb: string;
  summary: string;
  input: S;
  startsStore?: true;
  /** The result is plain JSON: an object, or a list of objects of one shape. */
  run(context: AdminContext, input: z.output<S>): Promise<R>;
  /** A constant note, or one computed from the result. */
  note?: string | ((result: unknown) => string | null);
  show?(result: unknown, columns?: number): string | null;
  failure?(result: unknown): string | null;
}

export function command<S extends z.ZodObject, R>({ run, note = () => null, ...declared }: Declaration<S, R>): Command {
  return {
    startsStore: false,
    show: () => null,
    failure: () => null,
    ...declared,
    note: typeof note === "string" ? () => note : note,
    execute: async (context, input) => run(context, parseInput(declared.input, input)),
  };
}

/** `--api-access` for `api_access`, `--password-stdin` for a `password` that is read from standard input. */
export function optionName(input: z.ZodObject, field: string): string {
  const schema = input.shape[field];
  const stdin = schema !== undefined && flags.get(schema)?.stdin === true;
  return `--${field.replaceAll("_", "-")}${stdin ? "-stdin" : ""}`;
}

/**
 * The option that a field of a core function's input came from: `installments[0].amount` from `--installment`, `username`
 * from `--user`, `webhookSecret` from `--secret-key-stdin` where that reads both; in words without an option.
 */
export function optionOf(input: z.ZodObject, field: string): string {
  const names = field
    .split(/[[\].]+/)
    .filter((part) => /^[a-z]/i.test(part))
    .map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  for (const name of names) {
    const option = optionLike(input, name);
    if (option !== null) return optionName(input, option);
  }
  return `the ${(names.at(-1) ?? field).replaceAll("_", " ")}`;
}

/** The field of a command's input for a name: itself, a list item, a line of it, or a longer or shorter name. */
function optionLike({ shape }: z.ZodObject, name: string): string | null {
  const single = name.replace(/s$/, "");
  const exact = [name, single].find((candidate) => candidate in shape);
  if (exact !== undefined) return exact;
  const line = name.replaceAll("_", " ");
  const fields = Object.entries(shape);
  const reading = fields.find(([, schema]) => flags.get(schema)?.lines?.includes(line));
  const alike = fields.find(([field]) => name.startsWith(field) || name.endsWith(`_${field}`));
  return (reading ?? alike)?.[0] ?? null;
}
