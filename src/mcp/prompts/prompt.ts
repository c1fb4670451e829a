import { readText } from "../../core/kernel/read-text.ts";
import { cleanText } from "../../core/kernel/text.ts";
import { RPC, RpcError } from "../protocol-error.ts";
import type { Complete } from "../suggestions.ts";

/** An argument of a prompt. */
export interface Argument {
  readonly description: string;
  readonly complete: Complete;
  /** Parses a value for the prompt's text. Throws RpcError when it is not valid. */
  read(given: string): string;
}

/** A task a person can choose, written out for the assistant: it names tools to call and holds no data. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly (Argument & { readonly name: string; readonly required: boolean })[];
  /** Tools that the text tells the assistant to call: the prompt is offered to callers who may call all of them. */
  readonly tools: readonly string[];
  /** The text of the prompt. Throws RpcError (-32602) for an argument that is missing, unknown or not valid. */
  text(given: Readonly<Record<string, unknown>>): string;
}

interface Declaration<Name extends string> extends Pick<Prompt, "name" | "title" | "description" | "tools"> {
  readonly arguments: Readonly<Record<Name, Argument>>;
  /** The required arguments. */
  readonly required?: readonly NoInfer<Name>[];
  /** The value of each `{{name}}` in the text, which is in the file of the prompt's name. */
  values(said: Readonly<Partial<Record<Name, string>>>): Readonly<Record<string, string>>;
}

export function prompt<Name extends string>({
  arguments: known,
  required = [],
  values,
  ...face
}: Declaration<Name>): Prompt {
  const text = readText(import.meta.url, `${face.name.replaceAll("_", "-")}.md`).trimEnd();
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
        if (value === null) continue;
        if (typeof value !== "string") throw invalid(`${name} must be a string`);
        // Clients send an empty string for a field left empty; invisible characters count as empty too.
        const clean = cleanText(value);
        if (clean !== null) said[name] = known[name].read(clean);
      }
      for (const name of required) if (said[name] === undefined) throw invalid(`${name} is required`);
      const shown = new Map(Object.entries({ ...BASES, ...values(said) }));
      return text.replaceAll(/{{(\w+)}}/g, (_, name) => shown.get(name) ?? fail(name));
    },
  };
}

/** The error for arguments that are not valid; it never quotes them. */
export function invalid(what: string) {
  return new RpcError(RPC.invalidParams, `Invalid params: ${what}.`);
}

const fail = (name: string) => {
  throw new Error(`a prompt's text has a {{${name}}}`);
};

/** How an answer from aging or about payments ends: with currency, freshness and basis (completions §10). */
const BASES = {
  AGING_BASIS:
    "Name the currency of every amount and never add currencies. Give `report_date`, `as_of` (the oldest `last_successful_sync_at` behind the amount) and the basis: current reconciled balances of dated debt, without credits.",
  PAYMENTS_BASIS:
    "Name the currency of every amount and never add currencies. Give `last_successful_sync_at` of list_erp_connections. The basis of payments: confirmed through payment links, before refunds; money received in other ways is not known here.",
};
