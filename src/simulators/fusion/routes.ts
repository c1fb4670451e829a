import { type Answer, FusionFault, type FusionRequest } from "./answers.ts";
import { collectionBody, itemBody, type JsonObject, selected } from "./collection.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { action, creation } from "./receipt-actions.ts";
import type { ReceiptLedger } from "./receipt-ledger.ts";
import type { FusionRecord, FusionRecords } from "./records.ts";
import { type Resource, receipts, served } from "./resources.ts";

const LISTS_KEPT = 50;

/** Answers requests over the records of one tenant; what several pages of one list share is worked out once. */
export function fusionRoutes(records: FusionRecords, ledger: ReceiptLedger): (request: FusionRequest) => Answer {
  const lists = new Map<string, FusionRecord[]>();
  let listsOf = records.version;

  function listed(resource: Resource, parameters: Parameters): FusionRecord[] {
    if (listsOf !== records.version || lists.size >= LISTS_KEPT) lists.clear();
    listsOf = records.version;
    const key = JSON.stringify([resource.name, parameters.frameworkVersion, parameters.q, parameters.orderBy]);
    const known = lists.get(key);
    if (known !== undefined) return known;
    const found = selected(resource, records.all(resource), parameters);
    lists.set(key, found);
    return found;
  }

  return (request) => {
    const { method, url, frameworkVersion } = request;
    const path = resourcePath(url);
    if (method === "POST" && path.resource === receipts && path.child === undefined) {
      if (path.id === undefined) return creation(ledger, request);
      if (path.action !== undefined) return action(ledger, path.id, path.action, request);
    }
    if (method !== "GET" || path.action !== undefined)
      throw new FusionFault(405, `${method} is not supported on ${path.resource.name}.`);
    const { resource, id, child, childId } = path;
    const href = url.origin + url.pathname.replace(/\/+$/, "");
    const target = child ?? resource;
    const parameters = readParameters(target, url.searchParams, frameworkVersion);
    if (id === undefined) return page(collectionBody(resource, listed(resource, parameters), parameters, href));
    const record = records.get(resource, id);
    if (record === undefined) throw notFound();
    if (child === undefined) return item(itemBody(resource, record, parameters, href));
    const children = record.children.get(child.name) ?? [];
    if (childId === undefined) {
      return page(collectionBody(child, selected(child, children, parameters), parameters, href));
    }
    const one = children.find((candidate) => candidate.id === childId);
    if (one === undefined) throw notFound();
    return item(itemBody(child, one, parameters, href));
  };
}

interface ResourcePath {
  readonly resource: Resource;
  readonly id?: string;
  readonly child?: Resource;
  readonly childId?: string;
  readonly action?: string;
}

/** `/{base}/resources/{version}/{resource}[/{id}[/child/{child}[/{id}]]]`, or `…/{id}/action/{action}` */
function resourcePath(url: URL): ResourcePath {
  const [base = "", resources, version, name, id, childWord, childName, childId, ...rest] = url.pathname
    .replace(/^\/|\/+$/g, "")
    .split("/");
  const known = Object.hasOwn(served, base) ? served[base] : undefined;
  const resource = known?.find((candidate) => candidate.name === name);
  if (resource === undefined || resources !== "resources" || !version || rest.length > 0) throw notFound();
  if (id === undefined) return { resource };
  if (childWord === undefined) return { resource, id };
  if (childWord === "action" && childName && childId === undefined) return { resource, id, action: childName };
  const child = resource.children.find((candidate) => candidate.name === childName);
  if (childWord !== "child" || child === undefined) throw notFound();
  return childId === undefined ? { resource, id, child } : { resource, id, child, childId };
}

const notFound = (): FusionFault => new FusionFault(404, "The resource or item does not exist.");

const page = (body: JsonObject): Answer => ({
  status: 200,
  body,
  headers: { "Content-Type": "application/vnd.oracle.adf.resourcecollection+json" },
});

const item = (body: JsonObject): Answer => ({
  status: 200,
  body,
  headers: { "Content-Type": "application/vnd.oracle.adf.resourceitem+json" },
});
