import type { JsonSchema } from "../../core/kernel/json-schema.ts";

/** Written out, or by reference. */
interface Referable {
  readonly $ref?: string;
}

export interface ShownParameter extends Referable {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Content {
  readonly "application/json": {
    readonly schema: JsonSchema;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  };
}

export interface ShownAnswer extends Referable {
  readonly description: string;
  readonly content?: Content;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly "x-permission": "admin" | "readonly";
  readonly "x-side-effects": string;
  readonly parameters?: readonly ShownParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, ShownAnswer>>;
}

/** An operation with its method, in capitals, and path. */
export interface ShownOperation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

/** What the reference shows of the API's description (OpenAPI 3.1). */
export interface Description {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", DescribedOperation>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, ShownParameter>>;
    readonly responses: Readonly<Record<string, ShownAnswer>>;
  };
}

/** Every operation, in the order of the description. */
export function operationsOf({ paths }: Description): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [{ ...get, method: "GET", path }]),
    ...(post === undefined ? [] : [{ ...post, method: "POST", path }]),
  ]);
}

/** What a reference leads to, with the keywords beside the reference; anything else unchanged. */
export function resolve<T extends Referable>(value: T, named: Readonly<Record<string, T>>): T {
  const { $ref, ...beside } = value;
  if ($ref === undefined) return value;
  const name = decodeURIComponent($ref.slice($ref.lastIndexOf("/") + 1));
  const found = named[name];
  if (found === undefined) throw new Error(`the description has no ${$ref}`);
  return { ...resolve(found, named), ...beside };
}

/** The example of a body or answer; the first where it has several. */
export function exampleOf(content: Content | undefined): unknown {
  const { example, examples } = content?.["application/json"] ?? {};
  return example ?? Object.values(examples ?? {})[0]?.value;
}
