const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ROW = "padding:12px 0;border-bottom:1px solid #e3e7ed;vertical-align:top";
const HEAD = "padding:0 0 8px;border-bottom:1px solid #e3e7ed;font-size:13px;font-weight:600;color:#525d6c";

const attributes = (className: string | null, style: string) =>
  `${className === null ? "" : `class="${className}" `}style="${style}"`;

/**
 * The attributes of each part of a letter: styles in the elements, which every mail program applies, and a class by which
 * {@link DARK_STYLE} changes its colors.
 */
export const STYLE = {
  page: attributes(
    "page",
    `margin:0;padding:0;background:#f5f6f8;color:#1b2430;${FONT};font-size:16px;line-height:1.5`,
  ),
  sheet: attributes(null, "max-width:600px;margin:0 auto;padding:24px 16px"),
  sender: attributes(null, "margin:0 0 16px;font-size:17px;font-weight:650;overflow-wrap:anywhere"),
  logo: attributes("logo", "display:block;max-width:100%;height:auto;border:0"),
  card: attributes(
    "card",
    "padding:24px;background:#ffffff;border:1px solid #dce1e8;border-radius:10px;overflow-wrap:anywhere",
  ),
  heading: attributes(null, "margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650"),
  paragraph: attributes(null, "margin:0 0 16px"),
  facts: attributes(null, "margin:0 0 20px;border-collapse:collapse;font-size:15px"),
  factLabel: attributes(
    "quiet",
    "padding:3px 20px 3px 0;text-align:left;vertical-align:top;font-weight:400;color:#525d6c",
  ),
  factValue: attributes(null, "padding:3px 0;vertical-align:top;font-weight:600;overflow-wrap:anywhere"),
  buttonTable: attributes("whole", "margin:0 0 24px;border-collapse:separate;border-spacing:0"),
  buttonCell: attributes("button", "background:#14579e;border-radius:8px;text-align:center"),
  button: attributes(
    "button",
    "display:block;padding:13px 28px;background:#14579e;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none",
  ),
  items: attributes("whole", "width:100%;margin:0 0 24px;border-collapse:collapse;font-size:15px;line-height:1.4"),
  titleHead: attributes("quiet line", `${HEAD};text-align:left`),
  amountHead: attributes("quiet line", `${HEAD};text-align:right`),
  title: attributes(
    "line",
    `${ROW};padding-right:16px;text-align:left;font-weight:600;overflow-wrap:anywhere;min-width:96px`,
  ),
  amount: attributes("line", `${ROW};text-align:right;white-space:nowrap;font-weight:600`),
  note: attributes("quiet", "font-size:13px;font-weight:400;color:#525d6c"),
  pay: attributes(null, "margin-top:4px"),
  link: attributes("link", "color:#14579e;font-weight:600;text-decoration:underline"),
  totalLabel: attributes(null, "padding:12px 16px 0 0;text-align:left;font-weight:600"),
  totalValue: attributes(null, "padding:12px 0 0;text-align:right;white-space:nowrap;font-weight:650;font-size:16px"),
  remark: attributes("quiet", "margin:0 0 10px;font-size:14px;color:#525d6c"),
  foot: attributes("quiet", "margin:16px 4px 0;font-size:13px;line-height:1.5;color:#525d6c;overflow-wrap:anywhere"),
};

/** What dark mode and narrow screens change, where the mail program lets a style sheet do it. */
export const DARK_STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:18px!important}.whole{width:100%!important}}
@media (prefers-color-scheme:dark){.page{background:#14171c!important;color:#e7eaf0!important}
.card{background:#1d2129!important;border-color:#343b47!important}.quiet{color:#a9b3c2!important}.line{border-color:#343b47!important}
.link{color:#86bbf6!important}.button{background:#86bbf6!important;color:#10151c!important}.logo{background:#ffffff!important;padding:8px;border-radius:6px}}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** One line of text as markup. */
export const escaped = (text: string) => oneLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** The same in an element of its own: its direction does not reach what is beside it. */
export const bdi = (text: string) => `<bdi>${escaped(text)}</bdi>`;

/** One line, so that no value can pretend to be the next paragraph. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** What comes between a label and its value: French sets a space before it. */
export const colonIn = (lang: string): string => (lang.startsWith("fr") ? "\u00A0:" : ":");

/** An address on the web in its normal form. Throws RangeError for anything else. */
export function webAddress(address: string) {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:"].includes(url.protocol)) throw new RangeError("not a web address");
  return url.href;
}
