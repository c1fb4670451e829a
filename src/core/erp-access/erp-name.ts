import type { ErpConnectionRow } from "../../store/tables/erp.ts";

const PROVIDERS: Readonly<Record<ErpConnectionRow["provider"], string>> = { oracle_fusion: "Oracle Fusion" };

/** What a provider of ERPs is called. */
export function providerName(provider: ErpConnectionRow["provider"]) {
  return PROVIDERS[provider];
}

/** What admins read of an ERP: the name a person gave it, or "Oracle Fusion at pod.fa.example.com (RECEIVABLES_SVC)". */
export function erpName({
  name,
  provider,
  url,
  username,
}: Pick<ErpConnectionRow, "name" | "provider" | "username"> & { url: string }) {
  return name ?? `${providerName(provider)} at ${URL.parse(url)?.host ?? url} (${username})`;
}

/** The columns of a row's ERP connection that its name is made of; nulls without one. */
type ErpColumns = { [Column in "name" | "provider" | "base_url" | "username"]: ErpConnectionRow[Column] | null };

/** The same for a row that may have no ERP; null without one. */
export function erpNameOfRow({ name, provider, base_url: url, username }: ErpColumns) {
  return provider === null || url === null || username === null ? null : erpName({ name, provider, url, username });
}
