import type { ListingConfig } from "../../config.ts";
import { html } from "./html.ts";

/** Where people read how their data is treated, and get help. */
export type PublicAddresses = Pick<ListingConfig, "privacyUrl" | "termsUrl" | "supportUrl">;

export const NO_ADDRESSES: PublicAddresses = { privacyUrl: null, termsUrl: null, supportUrl: null };

/** Links to them, in a window of their own: the page may be in the middle of a decision. False without any. */
export function publicAddresses({ privacyUrl, termsUrl, supportUrl }: PublicAddresses) {
  const links = [
    { name: "Privacy policy", href: privacyUrl },
    { name: "Terms of service", href: termsUrl },
    { name: "Support", href: supportUrl },
  ].filter(({ href }) => href !== null);
  if (links.length === 0) return false;
  const anchors = links.map(
    ({ name, href }, index) =>
      html`${index > 0 && " · "}<a href="${href}" target="_blank" rel="noopener noreferrer">${name}</a>`,
  );
  return html`<p class="quiet">${anchors}</p>`;
}
