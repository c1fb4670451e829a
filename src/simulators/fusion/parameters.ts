import { FusionFault } from "./answers.ts";
import type { Resource } from "./resources.ts";

/** The parameters of a GET, checked. */
export interface Parameters {
  readonly frameworkVersion: number;
  readonly q: string | null;
  readonly orderBy: readonly { readonly attribute: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset: number;
  readonly fields: readonly string[] | null;
  readonly expand: readonly string[];
  readonly onlyData: boolean;
  readonly totalResults: boolean;
}

const DEFAULT_LIMIT = 25;
/** Fusion never sends more. */
const LIMIT_CAP = 500;

/** Reads the parameters for a resource; throws a 400 for what the resource does not have. */
export function readParameters(resource: Resource, query: URLSearchParams, frameworkVersion: number): Parameters {
  if (query.has("finder")) throw new FusionFault(400, "The finder parameter is not supported by the simulator.");
  const fields = list(query.get("fields"));
  for (const field of fields) checkAttribute(resource, field);
  return {
    frameworkVersion,
    q: query.get("q") || null,
    orderBy: list(query.get("orderBy")).map((entry) => order(resource, entry)),
    limit: Math.min(count(query, "limit", DEFAULT_LIMIT, 1), LIMIT_CAP),
    offset: count(query, "offset", 0, 0),
    fields: fields.length > 0 ? fields : null,
    expand: fields.length > 0 ? [] : expanded(resource, list(query.get("expand"))),
    onlyData: query.get("onlyData") === "true",
    totalResults: query.get("totalResults") === "true",
  };
}

/** The framework version of a request's header: 1 where it has none. */
export function readFrameworkVersion(header: string | undefined): number {
  if (header === undefined) return 1;
  if (!/^[1-9]$/.test(header)) throw new FusionFault(400, "REST-Framework-Version is not a known version.");
  return Number(header);
}

function list(value: string | null): string[] {
  return (value ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function order(resource: Resource, entry: string): { attribute: string; descending: boolean } {
  const [attribute = "", direction = "asc", ...rest] = entry.split(":");
  checkAttribute(resource, attribute);
  if (rest.length > 0 || !["asc", "desc"].includes(direction)) {
    throw new FusionFault(400, "URL request parameter orderBy cannot be used in this format.");
  }
  return { attribute, descending: direction === "desc" };
}

function expanded(resource: Resource, names: readonly string[]): readonly string[] {
  if (names.includes("all")) return resource.children.map((child) => child.name);
  for (const name of names) {
    if (!resource.children.some((child) => child.name === name)) {
      throw new FusionFault(400, `The resource ${resource.name} has no child ${name}.`);
    }
  }
  return names;
}

function checkAttribute(resource: Resource, attribute: string): void {
  if (Object.hasOwn(resource.attributes, attribute)) return;
  throw new FusionFault(400, `The attribute ${attribute} of ${resource.name} is not known.`);
}

function count(query: URLSearchParams, name: string, fallback: number, least: number): number {
  const value = query.get(name);
  if (value === null) return fallback;
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
    throw new FusionFault(400, `URL request parameter ${name} must be a whole number from ${least} on.`);
  }
  return Number(value);
}
