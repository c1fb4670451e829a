/** What a message says, in plain strings: how it is set, in text and in HTML, is all here. */
export interface Letter {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Such as the amount and the due date. */
  readonly facts?: ReadonlyArray<readonly [label: string, value: string]>;
  /** The one thing to do: a button, or the bare address. */
  readonly action?: Action;
  /** Several things to do, each with its own address. */
  readonly items?: Items;
  /** Who sends this, and why. */
  readonly closing: string;
}

interface Action {
  readonly label: string;
  readonly url: string;
}

interface Items {
  /** What the parts of a row are called. */
  readonly labels: { readonly title: string; readonly note: string; readonly amount: string };
  readonly rows: ReadonlyArray<{
    readonly title: string;
    readonly note: string | null;
    readonly amount: string;
    readonly action: Action;
  }>;
  readonly totals: ReadonlyArray<readonly [label: string, value: string]>;
}

/** Both parts of a message. Everything in the letter is data: nothing in it is markup. Throws RangeError on a bad URL. */
export function setLetter(letter: Letter): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ heading, paragraphs, facts = [], action, items, closing }: Letter): string {
  const blocks = [
    line(heading),
    ...paragraphs.map(line),
    facts.map(([label, value]) => `${line(label)}: ${line(value)}`).join("\n"),
    action === undefined ? "" : `${line(action.label)}:\n${webAddress(action.url)}`,
    ...(items === undefined ? [] : itemsAsText(items)),
    `-- \n${line(closing)}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function itemsAsText({ labels, rows, totals }: Items): string[] {
  const blocks = rows.map(({ title, note, amount, action }) =>
    [
      `${labels.title}: ${line(title)}`,
      ...(note === null ? [] : [`${labels.note}: ${line(note)}`]),
      `${labels.amount}: ${line(amount)}`,
      `${line(action.label)}: ${webAddress(action.url)}`,
    ].join("\n"),
  );
  return [...blocks, totals.map(([label, value]) => `${line(label)}: ${line(value)}`).join("\n")];
}

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a";
const BUTTON =
  "display:inline-block;padding:12px 24px;background:#1a4fd6;color:#ffffff;text-decoration:none;border-radius:6px";

const ROW = "padding:10px 0;border-bottom:1px solid #e5e5e5;vertical-align:top";
const TITLE = `${ROW};padding-right:16px;text-align:left;overflow-wrap:anywhere;min-width:88px`;
const AMOUNT = `${ROW};padding-right:16px;text-align:right;white-space:nowrap`;
const HEAD = "font-size:13px;font-weight:600;color:#555555";
const NOTE = "font-size:13px;color:#555555";
const LINK = "color:#1a4fd6;font-weight:600;text-decoration:underline";
const TOTAL = "padding:10px 16px 0 0;font-weight:600";

/** A table that a narrow screen can show: names break anywhere, amounts nowhere. */
function itemsAsHtml({ labels, rows, totals }: Items): string {
  const body = rows.map(({ title, note, amount, action }) => {
    const below = note === null ? "" : `<div style="${NOTE}">${escaped(labels.note)}: ${escaped(note)}</div>`;
    const link = `<a href="${escaped(webAddress(action.url))}" style="${LINK}">${escaped(action.label)}</a>`;
    return `<tr><td style="${TITLE}"><div dir="auto">${escaped(title)}</div>${below}</td><td style="${AMOUNT}">${escaped(amount)}</td><td style="${ROW};text-align:right">${link}</td></tr>`;
  });
  const foot = totals.map(
    ([label, value]) =>
      `<tr><th scope="row" style="${TOTAL};text-align:left">${escaped(label)}</th><td style="${TOTAL};text-align:right;white-space:nowrap">${escaped(value)}</td><td></td></tr>`,
  );
  return `<table style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px;line-height:1.4">
<thead><tr><th scope="col" style="${TITLE};${HEAD}">${escaped(labels.title)}</th><th scope="col" style="${AMOUNT};${HEAD}">${escaped(labels.amount)}</th><td style="${ROW}"></td></tr></thead>
<tbody>${body.join("\n")}</tbody>
<tfoot>${foot.join("\n")}</tfoot>
</table>`;
}

function asHtml({ heading, paragraphs, facts = [], action, items, closing }: Letter): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#555555">${escaped(label)}</td><td dir="auto" style="padding:4px 0">${escaped(value)}</td></tr>`,
  );
  const parts = [
    `<h1 dir="auto" style="font-size:20px;line-height:1.3;margin:0 0 16px">${escaped(heading)}</h1>`,
    ...paragraphs.map((paragraph) => `<p dir="auto" style="margin:0 0 16px">${escaped(paragraph)}</p>`),
    rows.length === 0 ? "" : `<table style="margin:0 0 16px;border-collapse:collapse">${rows.join("")}</table>`,
    action === undefined
      ? ""
      : `<p style="margin:0 0 16px"><a href="${escaped(webAddress(action.url))}" style="${BUTTON}">${escaped(action.label)}</a></p>`,
    items === undefined ? "" : itemsAsHtml(items),
    `<p dir="auto" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid #e5e5e5;font-size:13px;color:#555555">${escaped(closing)}</p>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;${FONT}">
<div style="max-width:600px;margin:0 auto">
${parts.filter((part) => part !== "").join("\n")}
</div>
</body></html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => line(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

/** One line, so that no value can pretend to be the next paragraph. */
const line = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

function webAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || !["https:", "http:"].includes(url.protocol)) throw new RangeError("not a web address");
  return url.href;
}
