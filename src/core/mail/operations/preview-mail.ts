import { z } from "zod";
import { ADMINS_READ, operation, SETTINGS_READ } from "../../gate/operation.ts";
import { businessDate } from "../../kernel/calendar.ts";
import { notFound, orNotFound } from "../../kernel/error.ts";
import { letterheadOf } from "../customer-mail.ts";
import { LOCALES } from "../locale.ts";
import { SAMPLE_KINDS, sampleMail } from "../mail-samples.ts";
import { selectMailSettings, usualCurrency } from "../settings-queries.ts";
import { ShownMail, shownMail } from "../shown-mail.ts";

/**
 * A mail to a fictitious customer with the workspace's letterhead. Its images are embedded in the HTML. Throws
 * `not_found`.
 */
export const previewMail = operation({
  id: "previewMail",
  summary: "Preview a mail to customers",
  ...ADMINS_READ,
  input: z.strictObject({ kind: z.enum(SAMPLE_KINDS), locale: z.enum(LOCALES).optional() }),
  output: ShownMail,
  async run({ tx, core, actor: { tenantId } }, { kind, locale }) {
    const settings = orNotFound(await selectMailSettings(tx, tenantId), "workspace");
    const letterhead = letterheadOf(settings);
    const today = businessDate(core.clock.now(), settings.timezone);
    const currency = (await usualCurrency(tx, tenantId)) ?? "EUR";
    return shownMail(settings, sampleMail(kind, { letterhead, locale: locale ?? letterhead.locale, today, currency }));
  },
});

/** The logo of mails to customers, as PNG. Throws `not_found`. */
export const getMailLogo = operation({
  id: "getMailLogo",
  summary: "Show the logo of mails to customers",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: z.strictObject({ png: z.instanceof(Uint8Array) }),
  async run({ tx, actor: { tenantId } }) {
    const settings = await selectMailSettings(tx, tenantId);
    if (settings === undefined || settings.logo === null) throw notFound("logo");
    return { png: new Uint8Array(settings.logo) };
  },
});
