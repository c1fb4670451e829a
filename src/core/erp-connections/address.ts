import type { Reach } from "../../gateways/outgoing.ts";
import { isPublicUrl } from "../../gateways/public-address.ts";
import { LOOPBACK, plainUrl } from "../../settings.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import type { Manager } from "../gate/actor.ts";
import type { Core } from "../gate/dependencies.ts";
import { ServiceError } from "../gate/error.ts";

/** Whether text is an address an ERP can be reached at at all. */
export function isErpAddress(text: string): boolean {
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

/** Which ERP a connection leads to, and as whom. */
type Access = Pick<ErpConnectionRow, "base_url" | "username">;
type Connection = Access & Pick<ErpConnectionRow, "connection_id" | "status">;

/**
 * A connected connection of the same user at the same ERP, or null. The two together would pull every invoice twice, and ask
 * every customer for payment twice.
 */
export function twinOf<C extends Connection>(access: Access, others: readonly C[]): C | null {
  const twin = others.find(
    (one) => one.status !== "disconnected" && one.username === access.username && isSameErp(one, access),
  );
  return twin ?? null;
}

/** The letter case of a host and a slash at the end make no difference. */
function isSameErp({ base_url: one }: Access, { base_url: other }: Access): boolean {
  return addressOf(one) === addressOf(other);
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
