import { TAGS } from "../../core/gate/operation.ts";
import { readText } from "../../core/kernel/read-text.ts";
import { hasEtag } from "../revalidation.ts";
import type { Route } from "../routes.ts";
import { COMMON_HEADERS, ETAG, errorReferences, errorResponses, HEADERS, REPLAYED } from "./errors.ts";
import { exampleCall, exampleParameter } from "./examples.ts";
import { ApiSchemas, type Parameter, type RouteSchemas, reference, type Schema } from "./schemas.ts";
import { describeParameter, schemaInWords } from "./words.ts";

/** The OpenAPI 3.1 description (service.md §9.4), from the table that serves it. `baseUrl` is `PUBLIC_URL`. */
export function openApiDocument(routes: readonly Route[], baseUrl: string): object {
  const schemas = new ApiSchemas();
  const replays = routes.some(({ operation }) => operation.idempotency);
  const revalidates = routes.some(hasEtag);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationObject(route, schemas.of(route)),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Invoicing and Collections API",
      version: "1.0.0",
      summary: "A company's receivables for systems.",
      description: INTRODUCTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [
      {
        url: baseUrl,
        description: "The service that answered this description.",
        "x-internal": false,
      },
    ],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key of the workspace, shown once when it is created.",
        },
      },
      parameters: {
        RequestId: PARAMETERS.RequestId,
        ...(replays ? { IdempotencyKey: PARAMETERS.IdempotencyKey } : {}),
        ...(revalidates ? { IfNoneMatch: PARAMETERS.IfNoneMatch } : {}),
      },
      headers: {
        ...HEADERS,
        ...(replays ? { "Idempotency-Replayed": REPLAYED } : {}),
        ...(revalidates ? { ETag: ETAG } : {}),
      },
      responses: { ...(revalidates ? { NotModified: NOT_MODIFIED } : {}), ...errorResponses() },
      schemas: schemas.components(),
    },
  };
}

/** The description as JSON, built at the first request: building it takes longer than the rest of a start. */
export function openApiText(routes: readonly Route[], baseUrl: string) {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(openApiDocument(routes, baseUrl));
    return text;
  };
}

const PARAMETERS = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    description: "Your own id of the request: 8 to 128 letters, digits, `.`, `_` or `-`. Any other is replaced.",
    schema: { type: "string", minLength: 8, maxLength: 128, pattern: "^[A-Za-z0-9._-]{8,128}$" },
    example: "3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "Names the request, 1 to 255 printable ASCII characters. Once it was carried out, the same key and body within 24 hours is answered with that result and not carried out again, whichever API key of the workspace sends it. A refusal is not kept: the same key and body is tried again, and may be carried out then.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
    example: "invoice-20417-reminder-1",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of an answer that you have, or several with commas between them: while it still holds, you get 304.",
    schema: { type: "string" },
    example: ETAG.example,
  },
};

const ETAG_HEADER = { ETag: { $ref: "#/components/headers/ETag" } };

/** What a caller gets who has the answer. */
const NOT_MODIFIED = {
  description: "The answer that has one of these ETags still holds. There is no body.",
  headers: { ...COMMON_HEADERS, ...ETAG_HEADER },
};

function operationObject(route: Route, { answer, body, parameters }: RouteSchemas): object {
  const { operation, status } = route;
  const { id, tag, summary, description } = operation;
  const example = exampleCall(id);
  if (tag === undefined || description === undefined || example === undefined)
    throw new Error(`${id} does not say all that the description needs`);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    "x-permission": operation.permission,
    "x-side-effects": operation.sideEffects,
    parameters: parametersOf(route, parameters),
    ...(body === null ? {} : { requestBody: { required: true, ...jsonOf(body, example.body) } }),
    responses: {
      [status]: {
        headers: {
          ...COMMON_HEADERS,
          ...(operation.idempotency
            ? { "Idempotency-Replayed": { $ref: "#/components/headers/Idempotency-Replayed" } }
            : {}),
          ...(hasEtag(route) ? ETAG_HEADER : {}),
        },
        ...jsonOf(answer, example.answer),
      },
      ...(hasEtag(route) ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...errorReferences(route),
    },
  };
}

function parametersOf(route: Route, parameters: readonly Parameter[]): object[] {
  const { operation } = route;
  return [
    ...parameters.map(({ name, in: place, schema: source }) => {
      const { description = name, ...schema } = describeParameter(operation.id, name, source);
      return {
        name,
        in: place,
        required: place === "path",
        ...usualInWords(description, schema),
        example: exampleParameter(operation.id, name, schema),
      };
    }),
    { $ref: "#/components/parameters/RequestId" },
    ...(operation.idempotency ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(hasEtag(route) ? [{ $ref: "#/components/parameters/IfNoneMatch" }] : []),
  ];
}

/** The default of a named choice in words: generators that make enums of choices take a text beside one for its type. */
function usualInWords(
  description: string,
  { default: usual, ...schema }: Schema,
): { description: string; schema: Schema } {
  if (usual === undefined) return { description, schema };
  if (schema.$ref === undefined) return { description, schema: { ...schema, default: usual } };
  return { description: `${description} Left out: \`${usual}\`.`, schema };
}

/** A body of the schema `name`, sent or answered, in the schema's own words. */
function jsonOf(name: string, example: object | undefined): object {
  return {
    description: schemaInWords(name),
    content: {
      "application/json": { schema: reference(name), ...(example === undefined ? {} : { example }) },
    },
  };
}

/** The text above the operations. */
const INTRODUCTION = readText(import.meta.url, "introduction.md").trim();
