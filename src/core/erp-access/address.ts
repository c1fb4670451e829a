import type { Reach } from "../../gateways/outgoing.ts";
import { isPublicUrl } from "../../gateways/public-address.ts";
import { LOOPBACK, plainUrl } from "../../settings.ts";
import type { Manager } from "../gate/actor.ts";
import type { Core } from "../gate/dependencies.ts";
import { ServiceError } from "../kernel/error.ts";

/** Whether text is an address an ERP can be reached at at all. */
export function isErpAddress(text: string) {
  const url = plainUrl(text);
  return (
    url !== null &&
    ["http:", "https:"].includes(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === ""
  );
}

/**
 * What an ERP's address may lead to. People on the pages may give https on port 443 of a public name, which is resolved and
 * checked at every connection; operators any address; people of a demo this machine too. Throws `validation_failed`.
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

export function isSameErp(one: string, other: string) {
  return erpAt(one) === erpAt(other);
}

/** Which ERP an address leads to: the letter case of a host, a dot at its end and a slash at the address's end make no difference. */
export function erpAt(text: string) {
  const url = URL.parse(text);
  if (url === null) return text;
  const host = url.hostname.replace(/\.$/, "");
  return `${url.protocol}//${host}:${url.port}${url.pathname.replace(/\/+$/, "")}`;
}
