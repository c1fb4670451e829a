import { z } from "zod";
import { parseInput } from "../core/shared/validation.ts";
import type { AdminContext } from "./context.ts";

/** How a field of a command's input is written at the terminal. */
interface Flag {
  /** What stands for the value in the help; null for a switch without one. */
  value: string | null;
  description: string;
  /** The value is read from standard input and the option only says so: secrets stay out of process lists. */
  stdin?: boolean;
  /** Of standard input, each asked of a person by itself; one when left out. */
  lines?: readonly string[];
  repeatable?: boolean;
}

/** A schema that two options shared would be described as the second of them alone. */
class OptionFlags extends z.core.$ZodRegistry<Flag> {
  override add(...given: Parameters<z.core.$ZodRegistry<Flag>["add"]>): this {
    if (this.has(given[0])) throw new Error("this schema has a flag: register a clone of it");
    return super.add(...given);
  }
}

/** Fields of commands' inputs by their schema. */
export const flags = new OptionFlags();

/** One thing an operator can do at the terminal, declared once for the help, the checks and whoever executes it. */
export interface Command {
  readonly noun: string;
  readonly verb: string;
  readonly summary: string;
  /** Field names in snake_case: `api_access` is `--api-access`. */
  readonly input: z.ZodObject;
  /** It may be the first thing that is done with a data folder, which holds no store yet. */
  readonly startsStore: boolean;
  /** Parses the input and does it. Throws ServiceError for what cannot be done. */
  execute(context: AdminContext, input: unknown): Promise<unknown>;
  /** A line for the operator beside the result; null for none. */
  note(result: unknown): string | null;
  /**
   * The result as a person reads it at a terminal of so many columns, where that is not its fields one by one; null where
   * it is.
   */
  show(result: unknown, columns?: number): string | null;
  /** For a result that says the thing was tried and failed: why. */
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
  /** The same line always, or one by the result. */
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
 * from `--user`, `webhookSecret` from `--secret-key-stdin` where that reads both. In words where there is none.
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

/** The field of a command's input that a name means: itself, one of its list, a line of it, or a longer or shorter name. */
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
