import type { Actor } from "../../core/gate/actor.ts";
import type { CallOperation } from "../feature.ts";
import type { Complete } from "../suggestions.ts";

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "text/markdown" | "application/json";
}

/** A resource that is the same for everybody. */
export interface StaticResource extends Described {
  readonly uri: string;
  read(): string;
}

/** A resource of the workspace, read through an operation. */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: `receivables://${string}`;
  /** Completion for each variable of the template. */
  readonly variables: Readonly<Record<string, Complete>>;
  /** Throws ServiceError: `not_found` where the workspace has no such object. */
  read(variables: Readonly<Record<string, string>>, call: CallOperation): Promise<object>;
}

/** The variables of a URI by its template (RFC 6570, simple expansion); null where it does not match. */
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

/** Whether a caller may read resources: with the scope that every tool needs. */
export function mayRead(actor: Actor): boolean {
  return actor.kind === "assistant" && actor.scopes.includes("receivables:read");
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
