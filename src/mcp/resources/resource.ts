import type { Actor } from "../../core/gate/actor.ts";
import type { CallOperation } from "../feature.ts";
import type { Complete } from "../suggestions.ts";

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "text/markdown" | "application/json";
}

/** Something to read that is the same for everybody. */
export interface StaticResource extends Described {
  readonly uri: string;
  read(): string;
}

/** Something of the workspace's, read through the operation that a tool is made of. */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: `receivables://${string}`;
  /** Of each variable in the template. */
  readonly variables: Readonly<Record<string, Complete>>;
  /** Throws ServiceError: `not_found` where there is no such thing, in this workspace at least. */
  read(variables: Readonly<Record<string, string>>, call: CallOperation): Promise<object>;
}

/** The variables of an address by its template (RFC 6570, simple expansion); null where it is not one of its addresses. */
export function variablesOf(template: string, uri: string): Record<string, string> | null {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = template
    .split(/\{\w+\}/)
    .map(literal)
    .join("([^/?#]+)");
  const values = new RegExp(`^${pattern}$`).exec(uri)?.slice(1);
  if (values === undefined) return null;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]));
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Whether a caller is shown what is read with the scope that every tool needs. */
export function mayRead(actor: Actor): boolean {
  return actor.kind === "assistant" && actor.scopes.includes("receivables:read");
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
