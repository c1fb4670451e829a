import { z } from "zod";
import { MANAGERS } from "../../gate/actor.ts";
import { notFound } from "../../gate/error.ts";
import { operation } from "../../gate/operation.ts";
import { businessDate } from "../../shared/calendar.ts";
import { letterheadOf } from "../customer-mail.ts";
import { LOCALES } from "../locale.ts";
import { SAMPLE_KINDS, sampleMail } from "../mail-samples.ts";
import { selectMailSettings } from "../settings-queries.ts";

/**
 * A mail to a fictitious customer with the workspace's letterhead. Its images are embedded in the HTML. Throws
 * `not_found`.
 */
export const previewMail = operation({
  id: "previewMail",
  summary: "Preview a mail to customers",
  callers: MANAGERS,
  permission: "readonly",
  scope: null,
  sideEffects: "None.",
  input: z.strictObject({ kind: z.enum(SAMPLE_KINDS), locale: z.enum(LOCALES).optional() }),
  output: z.strictObject({
    from: z.string(),
    reply_to: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
  }),
  async run({ tx, core, actor: { tenantId } }, { kind, locale }) {
    const settings = await selectMailSettings(tx, tenantId);
    if (settings === undefined) throw notFound("workspace");
    const letterhead = letterheadOf(settings);
    const today = businessDate(core.clock.now(), settings.timezone);
    const {
      subject,
      text,
      html,
      pictures = [],
    } = sampleMail(kind, {
      letterhead,
      locale: locale ?? letterhead.locale,
      today,
    });
    const inPlace = pictures.reduce(
      (document, { id, type, content }) =>
        document.replaceAll(`src="cid:${id}"`, `src="data:${type};base64,${Buffer.from(content).toString("base64")}"`),
      html,
    );
    return { from: settings.workspace_name, reply_to: settings.reply_to, subject, text, html: inPlace };
  },
});

/** The logo of mails to customers, as PNG. Throws `not_found`. */
export const getMailLogo = operation({
  id: "getMailLogo",
  summary: "Show the logo of mails to customers",
  callers: MANAGERS,
  permission: "readonly",
  scope: null,
  sideEffects: "None.",
  input: z.strictObject({}),
  output: z.strictObject({ png: z.instanceof(Uint8Array) }),
  async run({ tx, actor: { tenantId } }) {
    const settings = await selectMailSettings(tx, tenantId);
    if (settings === undefined || settings.logo === null) throw notFound("logo");
    return { png: new Uint8Array(settings.logo) };
  },
});
