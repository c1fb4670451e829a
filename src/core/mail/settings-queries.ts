import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../store/store.ts";
import type { MailSettingsRow } from "../../store/tables/mail.ts";
import { changedSettings } from "../gate/audit.ts";
import type { Manager, RunContext } from "../gate/operation.ts";
import { localeOf } from "./locale.ts";

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

/** Changes the given settings of the caller's workspace; the others keep their value. Audited where any is another now. */
export async function changeMailSettings(
  { tx, actor: { tenantId: tenant_id }, now: updated_at, audit }: RunContext<Manager>,
  change: { [Name in keyof Omit<MailSettingsRow, "tenant_id" | "updated_at">]?: MailSettingsRow[Name] | undefined },
) {
  const before = await selectMailSettings(tx, tenant_id);
  const locale = localeOf(before?.locale, before?.timezone ?? "");
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const after = { updated_at, ...Object.fromEntries(given) };
  await tx
    .insertInto("mail_settings")
    .values({ tenant_id, locale, ...after })
    .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet(after))
    .execute();
  const known = { ...before, updated_at, locale };
  const isSame = isDeepStrictEqual(plain({ ...known, ...after }), plain(known));
  const { logo: _picture, ...settings } = change;
  audit(isSame ? null : { type: "workspace", id: tenant_id, details: changedSettings(known, settings) });
}

/** With pictures as text: a driver's buffer is not an encoder's bytes. */
const plain = <T extends { logo?: Uint8Array | null }>({ logo, ...rest }: T) => ({
  ...rest,
  logo: logo ? Buffer.from(logo).toString("base64") : null,
});
