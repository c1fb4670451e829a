import { FusionFault } from "./answers.ts";
import type { Parameters } from "./parameters.ts";
import { compareBy, matcher } from "./query-match.ts";
import { parseQuery, QueryError } from "./query-parser.ts";
import type { FusionRecord } from "./records.ts";
import type { Resource } from "./resources.ts";

/** What an expanded child collection holds at most; the rest is behind the child's own address. */
const EXPANDED_LIMIT = 25;

/** A JSON object to be written. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The items that `q` selects, in the order that `orderBy` asks for. */
export function selected(resource: Resource, records: readonly FusionRecord[], parameters: Parameters): FusionRecord[] {
  try {
    const { q, orderBy, frameworkVersion } = parameters;
    const found = q === null ? [...records] : records.filter(matcher(resource, parseQuery(q, frameworkVersion)));
    for (const { attribute, descending } of orderBy.toReversed()) {
      const compare = compareBy(resource, attribute);
      found.sort(descending ? (a, b) => compare(b, a) : compare);
    }
    return found;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new FusionFault(400, `URL request parameter q cannot be used in this format: ${error.message}.`);
  }
}

/** One page as Fusion wraps it. */
export function collectionBody(
  resource: Resource,
  found: readonly FusionRecord[],
  parameters: Parameters,
  href: string,
): JsonObject {
  const { limit, offset } = parameters;
  const items = found.slice(offset, offset + limit);
  return {
    items: items.map((record) => itemBody(resource, record, parameters, `${href}/${record.id}`)),
    ...(parameters.totalResults ? { totalResults: found.length } : {}),
    count: items.length,
    hasMore: offset + items.length < found.length,
    limit,
    offset,
    links: [{ rel: "self", href, name: resource.name, kind: "collection" }],
  };
}

/** One item: its attributes or the chosen ones, expanded children, links unless only the data is wanted. */
export function itemBody(resource: Resource, record: FusionRecord, parameters: Parameters, href: string): JsonObject {
  const body: Record<string, unknown> = {};
  const names = parameters.fields ?? record.attributes.keys();
  for (const name of names) body[name] = record.attributes.get(name) ?? null;
  for (const child of resource.children) {
    if (parameters.expand.includes(child.name)) body[child.name] = childBody(child, record, parameters, href);
  }
  if (!parameters.onlyData) body.links = itemLinks(resource, href);
  return body;
}

function childBody(child: Resource, parent: FusionRecord, parameters: Parameters, parentHref: string): unknown {
  const records = parent.children.get(child.name) ?? [];
  const paging = { limit: EXPANDED_LIMIT, offset: 0, expand: [], fields: null, totalResults: false };
  const collection = collectionBody(child, records, { ...parameters, ...paging }, `${parentHref}/child/${child.name}`);
  if (parameters.frameworkVersion <= 2) return collection.items;
  const { links, ...data } = collection;
  return parameters.onlyData ? data : { ...data, links };
}

function itemLinks(resource: Resource, href: string): JsonObject[] {
  const children = resource.children.map(({ name }) => ({
    rel: "child",
    href: `${href}/child/${name}`,
    name,
    kind: "collection",
  }));
  return [{ rel: "self", href, name: resource.name, kind: "item" }, ...children];
}
