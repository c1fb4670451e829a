import type { Request } from "express";

/** A parameter of the query; null where it is empty, missing or given twice. */
export function parameter({ query }: Pick<Request, "query">, name: string) {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** Parameters of an address; those without a value are left out. */
export type Query = Readonly<Record<string, string | null | undefined>>;

/** A path with parameters. */
export function withQuery(path: string, query: Query = {}) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") given.set(name, value);
  return given.size === 0 ? path : `${path}?${given}`;
}

/** The parameter that names the workspace; only the addresses of people with several have it. */
export const WORKSPACE = "workspace";

/** The parameter that names what a form did. */
export const DONE = "done";
/** The name of an act that changed nothing. */
export const NO_CHANGE = "unchanged";

/** The same page, of the same workspace, with the word that nothing was changed. */
export function withoutChange(path: string) {
  const [page = path, query] = path.split("?", 2);
  return withQuery(page, { [WORKSPACE]: new URLSearchParams(query).get(WORKSPACE), [DONE]: NO_CHANGE });
}

/** Where a person sets up the second factor that a workspace of theirs requires, on the way to `next`. */
export function setUpFactorPath(next: string, done: string | null = null) {
  return withQuery(SECURITY_PATH, { next, [DONE]: done });
}

/** Where the code of a second factor is asked for. */
export const CODE_PATH = "/signin/code";
/** A person's own second factor and sessions. */
export const SECURITY_PATH = "/security";
export const FACTOR_PATH = `${SECURITY_PATH}/factor`;
