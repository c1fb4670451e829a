import type { ErpConnectionRow } from "../../store/tables/erp.ts";

/** Which ERP a connection leads to, and as whom. */
type Access = Pick<ErpConnectionRow, "base_url" | "username">;
type Connection = Access & Pick<ErpConnectionRow, "connection_id" | "status">;

/**
 * A connection of the same user at the same ERP, of those that are in use: together they bring every invoice twice, and
 * have every customer asked twice. Null where there is none.
 */
export function twinOf<C extends Connection>(access: Access, others: readonly C[]): C | null {
  const twin = others.find(
    (one) => one.status !== "disconnected" && one.username === access.username && isSameErp(one, access),
  );
  return twin ?? null;
}

/** As the service asks it: neither the letter case of a host nor a slash at the end makes another ERP. */
function isSameErp({ base_url: one }: Access, { base_url: other }: Access): boolean {
  return addressOf(one) === addressOf(other);
}

function addressOf(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
