import type { Reach } from "../../gateways/outgoing.ts";
import { isPublicUrl } from "../../gateways/public-address.ts";
import type { Manager } from "../gate/actor.ts";
import type { Core } from "../gate/core.ts";
import { ServiceError } from "../gate/error.ts";

/** Whether text is an address an ERP can be reached at at all. */
export function isErpAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === ""
  );
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * What an address may lead to. People on the pages may name https on port 443 of a public name, and whatever it resolves to is
 * checked again at every connection; operators may name any address, and a demo's people this machine. Throws `validation_failed`.
 */
export function reachOfAddress({ localErps = false }: Pick<Core, "localErps">, url: string, { kind }: Manager): Reach {
  if (kind === "operator") return "any";
  if (isPublicUrl(url)) return "public";
  if (localErps && LOOPBACK.has(new URL(url).hostname)) return "any";
  throw new ServiceError("validation_failed", "The service does not connect to that address.", {
    details: [
      { field: "url", message: "must be a public https address on port 443; an operator can connect any other" },
    ],
  });
}
