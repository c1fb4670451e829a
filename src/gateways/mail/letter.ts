/** What a message says, in plain strings: how it is set, in text and in HTML, is all here. */
export interface Letter {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Such as the amount and the due date. */
  readonly facts?: ReadonlyArray<readonly [label: string, value: string]>;
  /** The one thing to do: a button, or the bare address. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Who sends this, and why. */
  readonly closing: string;
}

/** Both parts of a message. Everything in the letter is data: nothing in it is markup. Throws RangeError on a bad URL. */
export function setLetter(letter: Letter): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ heading, paragraphs, facts = [], action, closing }: Letter): string {
  const blocks = [
    line(heading),
    ...paragraphs.map(line),
    facts.map(([label, value]) => `${line(label)}: ${line(value)}`).join("\n"),
    action === undefined ? "" : `${line(action.label)}:\n${webAddress(action.url)}`,
    `-- \n${line(closing)}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a";
const BUTTON =
  "display:inline-block;padding:12px 24px;background:#1a4fd6;color:#ffffff;text-decoration:none;border-radius:6px";

function asHtml({ heading, paragraphs, facts = [], action, closing }: Letter): string {
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
    `<p dir="auto" style="margin:24px 0 0;font-size:13px;color:#555555">${escaped(closing)}</p>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;${FONT}">
${parts.filter((part) => part !== "").join("\n")}
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
