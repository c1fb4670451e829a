import { type Description, exampleOf, resolve, type ShownOperation, type ShownParameter } from "./description.ts";

/** What the example answers have more for, and how long a page of them is; filters would leave rows of theirs out. */
const ANSWERED = ["include", "group_by", "include_total", "limit"];

/** Keys of operations whose request is not the one that the header's example names: each needs its own. */
const OWN_KEYS: Readonly<Record<string, string>> = {
  createPaymentLinks: "customer-1041-reminder-1",
  pushHeldPayments: "held-receipts-41",
};

interface Sampled {
  readonly method: string;
  readonly path: string;
  readonly pathValues: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const valuesOf = (parameters: readonly ShownParameter[]): Record<string, unknown> =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example]));

function sampled(
  { operationId, method, path, parameters = [], requestBody, responses }: ShownOperation,
  { components }: Description,
): Sampled {
  const all = parameters.map((parameter) => resolve(parameter, components.parameters));
  const isPaged = Object.hasOwn(Object(exampleOf(responses[200]?.content)), "pagination");
  const shown = ANSWERED.filter((name) => isPaged || name !== "limit");
  return {
    method,
    path,
    pathValues: valuesOf(all.filter((parameter) => parameter.in === "path")),
    query: valuesOf(all.filter((parameter) => parameter.in === "query" && shown.includes(parameter.name))),
    headers: Object.fromEntries(
      all
        .filter((parameter) => parameter.in === "header" && parameter.required === true)
        .map(({ name, example }) => [name, OWN_KEYS[operationId] ?? example]),
    ),
    body: exampleOf(requestBody?.content),
  };
}

/** The call as a command, with the key in the variable that the guides have for one of its permission. */
export function curlSample(operation: ShownOperation, description: Description, origin: string): string {
  const { method, path, pathValues, query, headers, body } = sampled(operation, description);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(pathValues[name]));
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${origin}${filled}${search === "" ? "" : `?${search}`}'`,
    `-H "Authorization: Bearer ${operation["x-permission"] === "admin" ? "$ADMIN_KEY" : "$KEY"}"`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ].join(" \\\n  ");
}

/** A value as TypeScript has it: names without quotes where they need none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"([a-zA-Z_]\w*)":/gm, "$1$2:");

/** The call of a client that is typed by the description: its own name for the path, what it takes, what it answers. */
export function typeScriptSample(operation: ShownOperation, description: Description): string {
  const { method, path, pathValues, query, headers, body } = sampled(operation, description);
  const params = Object.fromEntries(
    Object.entries({ path: pathValues, query, header: headers }).filter(([, values]) => Object.keys(values).length > 0),
  );
  const options = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(body === undefined ? {} : { body }),
  };
  const more = Object.keys(options).length === 0 ? "" : `, ${literal(options)}`;
  return `const { data, error } = await client.${method}("${path}"${more});`;
}
