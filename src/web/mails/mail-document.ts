import type { Response } from "express";
import { type Html, html } from "../kit/html.ts";

/** A mail's document: it loads and runs nothing, and only our own page frames it. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";

/** Sends a mail as it looks. */
export function sendMailDocument(response: Response, document: string): void {
  response.setHeader("Content-Security-Policy", MAIL_POLICY);
  response.setHeader("X-Frame-Options", "SAMEORIGIN");
  response.type("html").send(document);
}

/** A mail as a mail program shows it, within a page: its document is at `path`. */
export function mailFrame(response: Response, path: string): Html {
  response.setHeader("Content-Security-Policy", `${response.getHeader("Content-Security-Policy")};frame-src 'self'`);
  return html`<iframe class="mail" title="The mail as a mail program shows it" src="${path}" sandbox></iframe>`;
}
