import { bdi, colonIn, DARK_STYLE, escaped, oneLine, STYLE, webAddress } from "./letter-style.ts";

/** What a message says, in plain strings: how it is set, in text and in HTML, is all here. */
export interface Letter {
  /** Of all its words, such as `de-CH`. */
  readonly lang: string;
  readonly sender: Sender;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Such as the amount and the due date. */
  readonly facts?: ReadonlyArray<readonly [label: string, value: string]>;
  /** The one thing to do: a button, or the bare address. */
  readonly action?: Action;
  /** Several things to do, each with its own address. */
  readonly items?: Items;
  /** What there is to know besides, after what there is to do. */
  readonly notes?: readonly string[];
}

/** Whose letter it is: its head and its foot. */
export interface Sender {
  readonly name: string;
  /** Shown in the place of the name above; `source` is the address of its picture in the message. */
  readonly logo?: { readonly source: string; readonly width: number; readonly height: number } | undefined;
  /** Lines below the name at the end, such as a postal address. */
  readonly foot: readonly string[];
}

interface Action {
  readonly label: string;
  readonly url: string;
}

interface Items {
  /** What the columns are called. */
  readonly labels: { readonly title: string; readonly amount: string };
  readonly rows: ReadonlyArray<{
    readonly title: string;
    readonly notes: readonly string[];
    readonly amount: string;
    readonly action: Action;
  }>;
  readonly totals: ReadonlyArray<readonly [label: string, value: string]>;
}

/** Both parts of a message. Everything in the letter is data: nothing in it is markup. Throws RangeError on a bad URL. */
export function setLetter(letter: Letter) {
  return { text: asText(letter), html: asHtml(letter) };
}

function asText({ lang, sender, heading, paragraphs, facts = [], action, items, notes = [] }: Letter) {
  const colon = colonIn(lang);
  const blocks = [
    oneLine(heading),
    ...paragraphs.map(oneLine),
    facts.map(([label, value]) => `${oneLine(label)}${colon} ${oneLine(value)}`).join("\n"),
    action === undefined ? "" : `${oneLine(action.label)}${colon}\n${webAddress(action.url)}`,
    ...(items === undefined ? [] : itemsAsText(items, colon)),
    ...notes.map(oneLine),
    `-- \n${[sender.name, ...sender.foot].map(oneLine).join("\n")}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function itemsAsText({ labels, rows, totals }: Items, colon: string) {
  const blocks = rows.map(({ title, notes, amount, action }) =>
    [
      `${labels.title}${colon} ${[title, ...notes].map(oneLine).join(", ")}`,
      `${labels.amount}${colon} ${oneLine(amount)}`,
      `${oneLine(action.label)}${colon} ${webAddress(action.url)}`,
    ].join("\n"),
  );
  return [...blocks, totals.map(([label, value]) => `${oneLine(label)}${colon} ${oneLine(value)}`).join("\n")];
}

/** A table that a narrow screen can show: names break anywhere, amounts nowhere. */
function itemsAsHtml({ labels, rows, totals }: Items) {
  const body = rows.map(({ title, notes, amount, action }) => {
    const below = notes.map((note) => `<div ${STYLE.note}>${escaped(note)}</div>`).join("");
    const link = `<a href="${escaped(webAddress(action.url))}" ${STYLE.link}>${escaped(action.label)}</a>`;
    return `<tr><td ${STYLE.title}><div dir="auto">${escaped(title)}</div>${below}</td><td ${STYLE.amount}>${escaped(amount)}<div ${STYLE.pay}>${link}</div></td></tr>`;
  });
  const foot = totals.map(
    ([label, value]) =>
      `<tr><th scope="row" ${STYLE.totalLabel}>${escaped(label)}</th><td ${STYLE.totalValue}>${escaped(value)}</td></tr>`,
  );
  return `<table ${STYLE.items}>
<thead><tr><th scope="col" ${STYLE.titleHead}>${escaped(labels.title)}</th><th scope="col" ${STYLE.amountHead}>${escaped(labels.amount)}</th></tr></thead>
<tbody>${body.join("\n")}</tbody>
<tfoot>${foot.join("\n")}</tfoot>
</table>`;
}

function asHtml(letter: Letter) {
  const { lang, sender, heading, paragraphs, facts = [], action, items, notes = [] } = letter;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" ${STYLE.factLabel}>${escaped(label)}</th><td dir="auto" ${STYLE.factValue}>${escaped(value)}</td></tr>`,
  );
  const parts = [
    `<h1 dir="auto" ${STYLE.heading}>${escaped(heading)}</h1>`,
    ...paragraphs.map((paragraph) => `<p dir="auto" ${STYLE.paragraph}>${escaped(paragraph)}</p>`),
    rows.length === 0 ? "" : `<table ${STYLE.facts}>${rows.join("")}</table>`,
    action === undefined ? "" : button(action),
    items === undefined ? "" : itemsAsHtml(items),
    ...notes.map((note) => `<p dir="auto" ${STYLE.remark}>${escaped(note)}</p>`),
  ];
  return `<!doctype html>
<html lang="${escaped(lang)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escaped(heading)}</title>
<style>${DARK_STYLE}</style></head>
<body ${STYLE.page}>
<div ${STYLE.sheet}>
${head(sender)}
<div ${STYLE.card}>
${parts.filter((part) => part !== "").join("\n")}
</div>
<p ${STYLE.foot}>${[`<strong>${bdi(sender.name)}</strong>`, ...sender.foot.map(bdi)].join("<br>")}</p>
</div>
</body></html>
`;
}

function head({ name, logo }: Sender) {
  if (logo === undefined) return `<p dir="auto" ${STYLE.sender}>${escaped(name)}</p>`;
  const { source, width, height } = logo;
  return `<p ${STYLE.sender}><img src="${escaped(source)}" width="${width}" height="${height}" alt="${escaped(name)}" ${STYLE.logo}></p>`;
}

/** A cell with a color, because some mail programs ignore the padding of a link. */
function button({ label, url }: Action) {
  return `<table role="presentation" ${STYLE.buttonTable}><tr><td bgcolor="#14579e" ${STYLE.buttonCell}><a href="${escaped(webAddress(url))}" ${STYLE.button}>${escaped(label)}</a></td></tr></table>`;
}
