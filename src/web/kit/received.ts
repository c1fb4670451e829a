import type { Request } from "express";
import { notFound } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { parameter } from "./address.ts";

export type PathParams = Readonly<Record<string, string>>;

/** What a request brings: its address, and the fields of its form. */
export class Received {
  readonly request: Request<PathParams>;

  constructor(request: Request<PathParams>) {
    this.request = request;
  }

  /** The id in the address, by its name. Throws `not_found`, of `what`, for anything that is not a UUID. */
  id(name: string, what: string) {
    return idIn(this.request.params[name], what);
  }

  /** A parameter of the query; null where it is empty, missing or given twice. */
  parameter(name: string) {
    return parameter(this.request, name);
  }

  /** A figure in the query; 0 for other text. */
  numberIn(name: string) {
    return Number(/^\d{1,7}$/.exec(this.parameter(name) ?? "")?.[0] ?? 0);
  }

  /** A field of the submitted form; empty when it is missing or given twice. */
  field(name: string) {
    return fieldOf(this.request, name);
  }

  isTicked(name: string) {
    return this.field(name) === "on";
  }

  /** The bytes of a file that came with the form; none where there is no such file. */
  file(name: string) {
    const file = sentIn(this.request, name);
    return file instanceof Uint8Array ? new Uint8Array(file) : new Uint8Array();
  }

  /** All values of a field that may be given more than once, such as boxes. */
  fields(name: string) {
    return [sentIn(this.request, name)].flat().filter((one) => typeof one === "string");
  }
}

function sentIn({ body }: Request, name: string) {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

/** A field of a submitted form; empty when it is missing or given twice. */
export function fieldOf(request: Request, name: string) {
  const value = sentIn(request, name);
  return typeof value === "string" ? value : "";
}

/** An id that people send. Throws `not_found`, of `what`, for anything that is not a UUID. */
export function idIn(text: string | undefined, what: string) {
  const id = Uuid.safeParse(text).data;
  if (id === undefined) throw notFound(what);
  return id;
}
