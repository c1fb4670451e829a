import type { RawJson } from "../../gateways/erp/lossless-json.ts";
import type { Resource } from "./resources.ts";

/** A value of an attribute; numbers keep the digits they were given with. */
export type FusionValue = null | boolean | string | RawJson;

/** One item of a resource, its children apart. */
export interface FusionRecord {
  readonly id: string;
  readonly attributes: ReadonlyMap<string, FusionValue>;
  readonly children: ReadonlyMap<string, readonly FusionRecord[]>;
}

/**
 * An item as Fusion writes it, children as a collection (`{ items: […] }`) or an array. Numbers may be JavaScript's,
 * bigints, or `JSON.rawJSON("1250.50")` where the digits matter.
 */
export type FusionItem = Readonly<Record<string, unknown>>;

/** Everything the simulated tenant holds: items by resource and id. `version` moves with every change. */
export class FusionRecords {
  version = 0;
  readonly #byResource = new Map<string, Map<string, FusionRecord>>();

  /** Adds items, or replaces those whose id is there already (in their place). */
  put(resource: Resource, items: Iterable<FusionItem>): void {
    for (const item of items) {
      const record = toRecord(resource, item);
      this.#of(resource).set(record.id, record);
    }
    this.version += 1;
  }

  /** Puts an item in the place of the one of its id. */
  replace(resource: Resource, record: FusionRecord): void {
    this.#of(resource).set(record.id, record);
    this.version += 1;
  }

  /** Removes items; ids that are not there are let pass. */
  remove(resource: Resource, ids: Iterable<string>): void {
    for (const id of ids) this.#of(resource).delete(id);
    this.version += 1;
  }

  get(resource: Resource, id: string): FusionRecord | undefined {
    return this.#of(resource).get(id);
  }

  /** In the order in which they were added. */
  all(resource: Resource): FusionRecord[] {
    return [...this.#of(resource).values()];
  }

  #of(resource: Resource): Map<string, FusionRecord> {
    const known = this.#byResource.get(resource.name);
    if (known !== undefined) return known;
    const created = new Map<string, FusionRecord>();
    this.#byResource.set(resource.name, created);
    return created;
  }
}

/** Text of a value, as `q` and `orderBy` compare it. */
export function textOf(value: FusionValue): string | null {
  if (value === null || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : value.rawJSON;
}

/** A copy with some attributes changed. */
export function changed(record: FusionRecord, changes: Readonly<Record<string, FusionValue>>): FusionRecord {
  return { ...record, attributes: new Map([...record.attributes, ...Object.entries(changes)]) };
}

function toRecord(resource: Resource, item: FusionItem): FusionRecord {
  const attributes = new Map<string, FusionValue>();
  const children = new Map<string, readonly FusionRecord[]>();
  for (const [name, value] of Object.entries(item)) {
    const child = resource.children.find((candidate) => candidate.name === name);
    if (child === undefined) attributes.set(name, toValue(name, value));
    else
      children.set(
        name,
        childItems(value).map((entry) => toRecord(child, entry)),
      );
  }
  const id = textOf(attributes.get(resource.key) ?? null);
  if (id === null || id === "") throw new TypeError(`an item of ${resource.name} has no ${resource.key}`);
  return { id, attributes, children };
}

function toValue(name: string, value: unknown): FusionValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "string" || JSON.isRawJSON(value)) return value;
  if (typeof value === "number" || typeof value === "bigint") return JSON.rawJSON(String(value));
  throw new TypeError(`${name} is neither text, number, boolean nor null`);
}

function childItems(value: unknown): FusionItem[] {
  const items = isObject(value) && "items" in value ? value.items : (value ?? []);
  if (!Array.isArray(items) || !items.every(isObject)) throw new TypeError("children must be a list of items");
  return items;
}

function isObject(value: unknown): value is FusionItem {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
