import { z } from "zod";
import type { Message } from "./message.ts";
import type { MailSettingsRecord } from "./settings-queries.ts";

/** A mail to look at. Its pictures are in the HTML. */
export const ShownMail = z.strictObject({
  from: z.string(),
  reply_to: z.string().nullable(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

/** A message as a page shows it. */
export function shownMail(
  { workspace_name, reply_to }: MailSettingsRecord,
  { subject, text, html, pictures = [] }: Message,
) {
  const inPlace = pictures.reduce(
    (document, { id, type, content }) =>
      document.replaceAll(`src="cid:${id}"`, `src="data:${type};base64,${Buffer.from(content).toString("base64")}"`),
    html,
  );
  return { from: workspace_name, reply_to, subject, text, html: inPlace };
}
