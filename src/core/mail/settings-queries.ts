import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../store/store.ts";
import type { MailSettingsRow } from "../../store/tables/mail.ts";

/** A workspace's mail settings and name; undefined if the workspace does not exist. */
export function selectMailSettings(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("tenants as tenant")
    .leftJoin("mail_settings as settings", "settings.tenant_id", "tenant.tenant_id")
    .select([
      "tenant.name as workspace_name",
      "tenant.timezone",
      "settings.locale",
      "settings.postal_address",
      "settings.reply_to",
      "settings.contact",
      "settings.logo",
      "settings.logo_width",
      "settings.logo_height",
    ])
    .where("tenant.tenant_id", "=", tenantId)
    .executeTakeFirst();
}

/** The currency of most of a workspace's latest invoices; undefined without any. */
export async function usualCurrency(tx: Transaction, tenantId: string) {
  const latest = tx
    .selectFrom("invoices")
    .select("currency")
    .where("tenant_id", "=", tenantId)
    .where("currency", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("invoice_id", "desc")
    .limit(100);
  const row = await tx
    .selectFrom(latest.as("latest"))
    .select((select) => ["latest.currency", select.fn.countAll().as("count")])
    .groupBy("latest.currency")
    .orderBy("count", "desc")
    .orderBy("latest.currency")
    .limit(1)
    .executeTakeFirst();
  return row?.currency ?? undefined;
}

export type MailSettingsRecord = NonNullable<Awaited<ReturnType<typeof selectMailSettings>>>;

/** Changes the given settings; the others keep their value, or get that of `defaults`. Answers whether any is another now. */
export async function upsertMailSettings(
  tx: Transaction,
  defaults: Pick<MailSettingsRow, "tenant_id" | "locale" | "updated_at">,
  change: Partial<Omit<MailSettingsRow, "tenant_id" | "updated_at">>,
) {
  const before = await selectMailSettings(tx, defaults.tenant_id);
  await tx
    .insertInto("mail_settings")
    .values({ ...defaults, ...change })
    .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet({ ...change, updated_at: defaults.updated_at }))
    .execute();
  const known = { ...before, locale: before?.locale ?? defaults.locale };
  return !isDeepStrictEqual(plain({ ...known, ...change }), plain(known));
}

/** With pictures as text: a driver's buffer is not an encoder's bytes. */
const plain = <T extends { logo?: Uint8Array | null }>({ logo, ...rest }: T) => ({
  ...rest,
  logo: logo ? Buffer.from(logo).toString("base64") : null,
});
