import { BUCKETS } from "../../core/aging/buckets.ts";
import { cleanText } from "../../core/shared/text.ts";
import { CurrencyCode, Uuid } from "../../core/shared/validation.ts";
import { RPC, RpcError } from "../protocol-error.ts";
import {
  buckets,
  type Complete,
  currencies,
  customerKeyOf,
  customers,
  suggestErpConnections,
  suggestOneOf,
} from "../suggestions.ts";

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
        // Clients send an empty string for a field left empty; invisible characters count as empty too.
        const clean = cleanText(value);
        if (clean !== null) said[name] = known[name].read(clean);
      }
      for (const name of required) if (said[name] === undefined) throw invalid(`${name} is required`);
      return text(said);
    },
  };
}

/** The error for arguments that are not valid; it never quotes them. */
export function invalid(what: string): RpcError {
  return new RpcError(RPC.invalidParams, `Invalid params: ${what}.`);
}

export const CURRENCY: Argument = {
  description: "Only this currency (ISO 4217 code)",
  complete: currencies,
  read(given) {
    const code = CurrencyCode.safeParse(given.toUpperCase());
    if (!code.success) throw invalid("currency must be an ISO 4217 code, such as EUR");
    return code.data;
  },
};

export const BUCKET: Argument = choice("bucket", "Only this aging bucket", BUCKETS, buckets);

export const LINKS: Argument = choice(
  "links",
  "Only invoices with, or without, an active payment link",
  ["with", "without"],
  suggestOneOf(["with", "without"]),
);

export const CONNECTION_ARGUMENT: Argument = {
  description: "Only this ERP connection (its id)",
  complete: suggestErpConnections,
  read(given) {
    const id = Uuid.safeParse(given);
    if (!id.success) throw invalid("connection must be the id of an ERP connection");
    return id.data;
  },
};

/** A customer by key, name or number; the assistant looks up names and numbers. */
export const CUSTOMER: Argument = {
  description: "Customer: choose a suggestion, or write a name or number",
  complete: customers,
  read: (given) => customerKeyOf(given) ?? cleanText(given, 200) ?? "",
};

/** How the customer is passed to a tool that takes `customer_key`. */
export function customerFilter(customer: string): string {
  if (customerKeyOf(customer) !== null) return `customer_key=${customer}`;
  return (
    `the \`customer_key\` that list_customer_aging finds with search=${JSON.stringify(customer)} ` +
    "(ask me which one when several customers match)"
  );
}

function choice(name: string, description: string, values: readonly string[], complete: Complete): Argument {
  return {
    description,
    complete,
    read(given) {
      if (!values.includes(given)) throw invalid(`${name} is one of ${values.join(", ")}`);
      return given;
    },
  };
}
