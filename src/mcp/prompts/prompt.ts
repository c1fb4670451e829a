import { cleanText } from "../../core/shared/text.ts";
import { RPC, RpcError } from "../protocol-error.ts";
import type { Complete } from "../suggestions.ts";

/** One thing a person may say with a prompt. */
export interface Argument {
  readonly description: string;
  readonly complete: Complete;
  /** What is meant, as the prompt's text needs it. Throws RpcError for what cannot be meant. */
  read(given: string): string;
}

/** A task a person can choose, written out for the assistant: it names tools to call and holds no data. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly (Argument & { readonly name: string; readonly required: boolean })[];
  /** Tools the text tells the assistant to call: only who may call them all is offered the prompt. */
  readonly tools: readonly string[];
  /** What the assistant is asked. Throws RpcError (-32602) for an argument that is missing, unknown or not understood. */
  text(given: Readonly<Record<string, unknown>>): string;
}

interface Declaration<Name extends string> extends Pick<Prompt, "name" | "title" | "description" | "tools"> {
  readonly arguments: Readonly<Record<Name, Argument>>;
  /** Those without which the text is not written. */
  readonly required?: readonly NoInfer<Name>[];
  text(said: Readonly<Partial<Record<Name, string>>>): string;
}

export function prompt<Name extends string>({
  arguments: known,
  required = [],
  text,
  ...face
}: Declaration<Name>): Prompt {
  const isKnown = (name: string): name is Name => Object.hasOwn(known, name);
  const isRequired = new Set<string>(required);
  return {
    ...face,
    arguments: Object.entries<Argument>(known).map(([name, argument]) => {
      return { name, required: isRequired.has(name), ...argument };
    }),
    text(given) {
      const said: Partial<Record<Name, string>> = {};
      for (const [name, value] of Object.entries(given)) {
        if (!isKnown(name)) throw invalid("there is an argument this prompt does not have");
        if (typeof value !== "string") throw invalid(`${name} must be a string`);
        // Clients send what a person left empty as an empty string; what cannot be seen is no more than that.
        const clean = cleanText(value);
        if (clean !== null) said[name] = known[name].read(clean);
      }
      for (const name of required) if (said[name] === undefined) throw invalid(`${name} is required`);
      return text(said);
    },
  };
}

/** What a client is told of arguments that will not do; it never quotes them. */
export function invalid(what: string): RpcError {
  return new RpcError(RPC.invalidParams, `Invalid params: ${what}.`);
}
