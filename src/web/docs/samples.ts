import { type Description, exampleOf, resolve, type ShownOperation, type ShownParameter } from "./description.ts";

/** Filters that narrow a page down; what steers paging and order says less in an example. */
const STEERING = /^(cursor|order|sort|include|include_total|limit_per_currency)$/;
/** Filters that a sample shows beside `limit`. */
const FILTERS_SHOWN = 1;

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
  { method, path, parameters = [], requestBody, responses }: ShownOperation,
  { components }: Description,
): Sampled {
  const all = parameters.map((parameter) => resolve(parameter, components.parameters));
  const queried = all.filter((parameter) => parameter.in === "query");
  const filters = queried.filter(
    ({ name, schema }) =>
      !STEERING.test(name) && ("enum" in resolve(schema, components.schemas) || schema.type === "boolean"),
  );
  const isPaged = Object.hasOwn(Object(exampleOf(responses[200]?.content)), "pagination");
  return {
    method,
    path,
    pathValues: valuesOf(all.filter((parameter) => parameter.in === "path")),
    query: valuesOf([...filters.slice(0, FILTERS_SHOWN), ...queried.filter(({ name }) => isPaged && name === "limit")]),
    headers: valuesOf(all.filter((parameter) => parameter.in === "header" && parameter.required === true)),
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
