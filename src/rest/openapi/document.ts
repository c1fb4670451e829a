import { TAGS } from "../../core/gate/operation.ts";
import { readText } from "../../core/kernel/read-text.ts";
import type { Route } from "../routes.ts";
import { COMMON_HEADERS, errorResponse, errorsOf, HEADERS, REPLAYED } from "./errors.ts";
import { exampleCall, exampleParameter } from "./examples.ts";
import { pathSchemas, querySchemas, type Schema, type Schemas, schemasOf } from "./schemas.ts";
import { describeParameter } from "./words.ts";

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The OpenAPI 3.1 description (service.md §9.4), from the table that serves it. A loopback `baseUrl` is left out. */
export function openApiDocument(routes: readonly Route[], baseUrl: string): object {
  const schemas = schemasOf(routes);
  const responses = new Map<string, object>();
  const replays = routes.some(({ operation }) => operation.idempotency);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationObject(route, schemas, responses),
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
        url: LOOPBACK.test(baseUrl) ? "/" : baseUrl,
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
      },
      headers: { ...HEADERS, ...(replays ? { "Idempotency-Replayed": REPLAYED } : {}) },
      responses: Object.fromEntries(responses),
      schemas: schemas.components,
    },
  };
}

/** The description as JSON, built at the first request: building it takes longer than the rest of a start. */
export function openApiText(routes: readonly Route[], baseUrl: string): () => string {
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
    schema: { type: "string" },
    example: "3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "Names the request, 1 to 255 printable ASCII characters: the same key and body within 24 hours is answered with the original result and not carried out again, whichever API key of the workspace sends it.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
    example: "invoice-20417-reminder-1",
  },
};

function operationObject(route: Route, schemas: Schemas, responses: Map<string, object>): object {
  const { operation, status } = route;
  const { id, tag, summary, description } = operation;
  const example = exampleCall(id);
  if (tag === undefined || description === undefined || example === undefined)
    throw new Error(`${id} does not say all that the description needs`);
  const body = schemas.bodyOf(route);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    "x-permission": operation.permission,
    "x-side-effects": operation.sideEffects,
    parameters: parametersOf(route),
    ...(body === null ? {} : { requestBody: { required: true, ...jsonOf(body, schemas, example.body) } }),
    responses: {
      [status]: {
        headers: {
          ...COMMON_HEADERS,
          ...(operation.idempotency
            ? { "Idempotency-Replayed": { $ref: "#/components/headers/Idempotency-Replayed" } }
            : {}),
        },
        ...jsonOf(schemas.answerOf(route), schemas, example.answer),
      },
      ...errorReferences(route, responses),
    },
  };
}

function parametersOf(route: Route): object[] {
  const described = (name: string, location: "path" | "query", source: Schema): object => {
    const { description, ...schema } = describeParameter(route.operation.id, name, source);
    return {
      name,
      in: location,
      required: location === "path",
      description,
      schema,
      example: exampleParameter(route.operation.id, name, schema),
    };
  };
  return [
    ...pathSchemas(route).map(([name, schema]) => described(name, "path", schema)),
    ...(route.method === "GET" ? querySchemas(route) : []).map(([name, schema]) => described(name, "query", schema)),
    { $ref: "#/components/parameters/RequestId" },
    ...(route.operation.idempotency ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

/** A body of the schema `name`, sent or answered, in the schema's own words. */
function jsonOf(name: string, { components }: Schemas, example: object | undefined): object {
  const schema = components[name];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return {
    description: schema.description,
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${name}` },
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

/** The route's errors as references; routes that can answer the same codes share one response. */
function errorReferences(route: Route, responses: Map<string, object>): Record<string, object> {
  const references: Record<string, object> = {};
  for (const [status, codes] of errorsOf(route)) {
    const name = `${status}.${[...codes].sort().join(".")}`;
    if (!responses.has(name)) responses.set(name, errorResponse(status, codes));
    references[status] = { $ref: `#/components/responses/${name}` };
  }
  return references;
}

/** The text above the operations. */
const INTRODUCTION = readText(import.meta.url, "introduction.md").trim();
