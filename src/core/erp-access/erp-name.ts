import type { ErpConnectionRow } from "../../store/tables/erp.ts";

const PROVIDERS: Readonly<Record<ErpConnectionRow["provider"], string>> = { oracle_fusion: "Oracle Fusion" };

/** What a provider of ERPs is called. */
export function providerName(provider: ErpConnectionRow["provider"]): string {
  return PROVIDERS[provider];
}

/** What people call an ERP, everywhere: "Oracle Fusion at pod.fa.example.com (RECEIVABLES_SVC)". One host may be connected as several users. */
export function erpName({
  provider,
  url,
  username,
}: Pick<ErpConnectionRow, "provider" | "username"> & { url: string }): string {
  return `${providerName(provider)} at ${URL.parse(url)?.host ?? url} (${username})`;
}

/** The columns of a row's ERP connection that its name is made of; nulls without one. */
type ErpColumns = { [Column in "provider" | "base_url" | "username"]: ErpConnectionRow[Column] | null };

/** The same for a row that may have no ERP; null without one. */
export function erpNameOfRow({ provider, base_url: url, username }: ErpColumns): string | null {
  return provider === null || url === null || username === null ? null : erpName({ provider, url, username });
}
