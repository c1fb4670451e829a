import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { RequestHandler } from "express";
import { ServiceError } from "../core/kernel/error.ts";

/** The values of `Host` that name an origin (`https://host[:port]`): with its port, and without where that is the default. */
export function hostsOf(publicOrigin: string): ReadonlySet<string> {
  const { host, protocol, port } = new URL(publicOrigin);
  const defaultPort = protocol === "https:" ? "443" : "80";
  return new Set(port === "" ? [host, `${host}:${defaultPort}`] : [host]);
}

/** Whether a `Host` is an IP address or localhost: no name that somebody else could point here. */
export function isAddressHost(host: string) {
  const name = host.toLowerCase().replace(/:\d{1,5}$/, "");
  return name === "localhost" || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Serves the public host only; others get 421 (against DNS rebinding). */
export function onlyPublicHost(publicOrigin: string): RequestHandler {
  const hosts = hostsOf(publicOrigin);
  return (request, _response, next) => {
    if (hosts.has(hostOf(request))) return next();
    if (request.path === "/mcp" && request.method !== "GET") return next();
    const message = `This server answers to ${publicOrigin} only.`;
    next(new ServiceError("validation_failed", message, { httpStatus: 421 }));
  };
}

function hostOf({ headers }: Pick<IncomingMessage, "headers">): string {
  return headers.host?.toLowerCase() ?? "";
}
