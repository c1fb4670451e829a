import type { ErpConnectionRow } from "../../store/tables/erp.ts";

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
