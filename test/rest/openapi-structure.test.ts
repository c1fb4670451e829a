import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ERRORS, type ErrorCode } from "../../src/core/kernel/error.ts";
import { capital } from "../../src/core/kernel/text.ts";
import { snakeCase } from "../../src/core/kernel/validation-messages.ts";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES, type Route } from "../../src/rest/routes.ts";

/** What generators of clients call what they make of an operation; a schema of that name gets another. */
const MADE_OF_OPERATIONS = ["Data", "Error", "Errors", "Response", "Responses", "Params", "Result", "Body"];

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
});
type Schema = z.output<typeof Schema>;
const Parameter = z.union([
  z.strictObject({ $ref: z.string() }),
  z.looseObject({ name: z.string(), in: z.string(), schema: z.record(z.string(), z.unknown()) }),
]);
const Reference = z.looseObject({ $ref: z.string() });
const Operations = z.record(
  z.string(),
  z.looseObject({
    operationId: z.string(),
    parameters: z.array(Parameter),
    requestBody: z.unknown().optional(),
    responses: z.record(z.string(), z.union([Reference, z.looseObject({ content: z.unknown() })])),
  }),
);
const Document = z.looseObject({
  servers: z.array(z.looseObject({ url: z.string() })),
  paths: z.record(z.string(), Operations),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.looseObject({ headers: z.record(z.string(), z.unknown()) })),
    parameters: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), z.unknown()),
  }),
});

const described = (routes: readonly Route[], url = "https://receivables.example.test") =>
  Document.parse(openApiDocument(routes, url));
const document = described(ROUTES);
const { schemas, responses, parameters, headers } = document.components;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

interface Place {
  where: string;
  schema: Schema;
  /** It is what a name stands for. */
  isNamed: boolean;
}

/** Every schema in a part of the document, with its place. */
function* schemasIn(value: unknown, where: string, isNamed = false): Generator<Place> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* schemasIn(item, `${where}[${index}]`);
    return;
  }
  const schema = Schema.safeParse(value).data;
  if (schema !== undefined && ["type", "enum", "anyOf", "oneOf", "$ref"].some((keyword) => keyword in schema))
    yield { where, schema, isNamed };
  for (const [key, member] of Object.entries(value))
    if (!["example", "examples", "enum", "required"].includes(key)) yield* schemasIn(member, `${where}.${key}`);
}

const places = [
  ...Object.entries(schemas).flatMap(([name, schema]) => [...schemasIn(schema, name, true)]),
  ...schemasIn({ paths: document.paths, responses, parameters, headers }, "api"),
];
const types = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
/** The places of which a rule does not hold. */
const breaking = (isBroken: (place: Place) => boolean): string[] => places.filter(isBroken).map(({ where }) => where);
const where = (names: readonly string[], isBroken: (name: string) => boolean): string[] => names.filter(isBroken);
const textOf = JSON.stringify(document);

describe("the structure of the description, as generators of clients need it", () => {
  it("is about something", () => {
    expect(places.length).toBeGreaterThan(400);
    expect(Object.keys(schemas).length).toBeGreaterThan(60);
  });

  it.each<[rule: string, broken: string[]]>([
    ["no schema is called what JavaScript has already", where(Object.keys(schemas), (name) => name in globalThis)],
    [
      "no schema is called what generators call something of an operation",
      where(Object.keys(schemas), (name) =>
        operations.some(({ operationId: id }) => MADE_OF_OPERATIONS.some((end) => name === `${capital(id)}${end}`)),
      ),
    ],
    ["names are words", where(Object.keys({ ...schemas, ...responses }), (name) => !/^([A-Z][a-z]+)+$/.test(name))],
    ["every name is used", where(Object.keys(schemas), (name) => !textOf.includes(`"#/components/schemas/${name}"`))],
    ["every choice has a name", breaking(({ schema, isNamed }) => schema.enum !== undefined && !isNamed)],
    [
      "choices are of texts",
      breaking(({ schema }) => schema.enum?.some((value) => typeof value !== "string") ?? false),
    ],
    ["every object has a name", breaking(({ schema, isNamed }) => types(schema).includes("object") && !isNamed)],
    ["no value is a constant", breaking(({ schema }) => "const" in schema)],
    [
      "null stands beside one plain type, or beside one name",
      breaking(({ schema }) =>
        types(schema).includes("null")
          ? types(schema).length !== 2 && Object.keys(schema).length > 1
          : (schema.anyOf ?? []).some(({ type }) => type === "null") &&
            (schema.anyOf?.length !== 2 || !("$ref" in (schema.anyOf[0] ?? {}))),
      ),
    ],
    [
      "beside a name stands nothing but a description",
      breaking(({ schema }) => "$ref" in schema && Object.keys(schema).some((key) => !/\$ref|description/.test(key))),
    ],
    [
      "every integer has bounds, and the size that they need",
      breaking(({ schema }) => {
        if (!types(schema).includes("integer")) return false;
        const { format, minimum, maximum } = schema;
        const isSmall = Number(minimum) >= -(2 ** 31) && Number(maximum) < 2 ** 31;
        return (
          format !== (isSmall ? "int32" : "int64") || !Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum)
        );
      }),
    ],
    [
      "every other number is a double",
      breaking(({ schema }) => types(schema).includes("number") && schema.format !== "double"),
    ],
    [
      "every operation may be answered 405 and by what is not listed",
      operations.filter(({ responses: own }) => !("405" in own && "default" in own)).map((one) => one.operationId),
    ],
    [
      "every failure is a response with a name",
      operations.flatMap(({ operationId, responses: own }) =>
        Object.entries(own)
          .filter(([status, response]) => !status.startsWith("2") && !("$ref" in response))
          .map(([status]) => `${operationId} ${status}`),
      ),
    ],
    [
      "what may be tried again says when",
      where(
        ["Conflict", "TooManyRequests", "InternalError", "Failure"],
        (name) => !("Retry-After" in (responses[name]?.headers ?? {})),
      ),
    ],
  ])("%s [service.9.description]", (_rule, broken) => {
    expect(broken).toEqual([]);
  });

  it.each(["https://receivables.example.test", "http://localhost:3000"])("is of the service at %s", (url) => {
    expect(described(ROUTES, url).servers.map((server) => server.url)).toEqual([url]);
  });

  it("lets a list of names stand for exactly one of them: held receipts by their connection, or by their payments", () => {
    expect(schemas.PushHeldPaymentsRequest).toMatchObject({
      oneOf: [
        { $ref: "#/components/schemas/PushHeldPaymentsByConnectionIdRequest" },
        { $ref: "#/components/schemas/PushHeldPaymentsByPaymentIdsRequest" },
      ],
    });
  });

  it.each(Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS))(
    "renames nothing when operations are refused with %s too [service.9.additive]",
    (code) => {
      const later = described(
        ROUTES.map((route) => {
          const errors = [...(route.operation.errors ?? []), code];
          return { ...route, operation: { ...route.operation, errors } };
        }),
      );
      for (const part of ["schemas", "responses"] as const)
        expect(Object.keys(later.components[part])).toEqual(Object.keys(document.components[part]));
      for (const [path, methods] of Object.entries(document.paths))
        for (const [method, { responses: before }] of Object.entries(methods))
          for (const [status, one] of Object.entries(before))
            if ("$ref" in one) expect(later.paths[path]?.[method]?.responses[status]).toMatchObject({ $ref: one.$ref });
    },
  );

  /** Values around the bounds of what the API takes. */
  const TRIED: readonly unknown[] = [
    ...[-1, 0, 1, 1.5, 9, 10, 100, 101, 1440, 1441, 2 ** 31, 2 ** 53 - 1, 2 ** 53, true, null],
    ...["", "a", "a".repeat(100), "a".repeat(101), "a".repeat(200), "a".repeat(201), "a".repeat(400), "a".repeat(401)],
    ...["EUR", "eur", "UNKNOWN", "1250.50", "-1", "1,5", "9".repeat(50), "9".repeat(51), "true"],
    ...["2026-02-28", "2026-02-30", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00+02:00", "2026-03-01T00:00:00"],
    ...["018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d", "018f7d2a-3e4b", "unassigned:018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d"],
    ...Object.values(schemas).flatMap((schema) => Schema.parse(schema).enum ?? []),
    ...[[], ["018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d"], Array(101).fill("018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d")],
  ];
  const ajv = formats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ $id: "api", components: document.components });
  const judgeOf = (schema: unknown) => ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));

  /** What a route takes, by name. */
  function takenBy({ method, path }: Route): [name: string, schema: unknown][] {
    const { operationId = "", parameters: own = [] } = document.paths[path]?.[method.toLowerCase()] ?? {};
    const forms = [
      `${capital(operationId)}Request`,
      ...Object.keys(schemas).filter((n) => n.startsWith(`${capital(operationId)}By`)),
    ];
    const bodies = forms.map((name) =>
      z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(schemas[name]),
    );
    return [
      ...own.flatMap((one): [string, unknown][] => ("name" in one ? [[one.name, one.schema]] : [])),
      ...bodies.flatMap(({ data }) => Object.entries(data?.properties ?? {})),
    ];
  }

  it.each(ROUTES)(
    "$method $path takes what its description says, and nothing else [service.9.description]",
    (route) => {
      for (const [name, schema] of takenBy(route)) {
        const judge = judgeOf(schema);
        const taken = route.operation.input.shape[snakeCase(name)];
        const differing = TRIED.filter((value) => judge(value) !== taken?.safeParse(value).success);
        expect(differing, name).toEqual([]);
      }
    },
  );
});
