import { Marked, type Tokens } from "marked";
import { ERRORS } from "../../core/kernel/error.ts";
import { copyable } from "../kit/assets.ts";
import { Html, html } from "../kit/html.ts";
import { slugOf } from "./guides.ts";

/** What a text in code is the name of: `GET /v1/me` and `conflict` lead to where they are described. */
export type Targets = ReadonlyMap<string, string>;

const ERRORS_GUIDE = "/docs/guides/errors";
const ERROR_TARGETS: Targets = new Map(Object.keys(ERRORS).map((code) => [code, `${ERRORS_GUIDE}#${code}`]));

const LINK_TAGS = /<\/?a\b[^>]*>/g;

/** Our own texts, from Markdown to markup. A link to another guide leads to its page. */
function converter(targets: Targets): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>`;
        const link = html`<a class="anchor" href="#${slugOf(text)}">${new Html(inner.replaceAll(LINK_TAGS, ""))}</a>`;
        return `<h${depth} id="${slugOf(text)}">${link}</h${depth}>`;
      },
      codespan({ text }) {
        const code = html`<code>${text}</code>`;
        const target = targets.get(text);
        return (target === undefined ? code : html`<a href="${target}">${code}</a>`).text;
      },
      code({ text, lang = "" }) {
        const isCopied = lang === "sh" || lang === "ts";
        return (
          isCopied ? html`<div class="copied">${copyable("the text", text, "block")}</div>` : html`<pre>${text}</pre>`
        ).text;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const guide = /^([a-z-]+)\.md(#.*)?$/.exec(href);
        if (guide !== null) return `<a href="/docs/guides/${guide[1]}${guide[2] ?? ""}">${words}</a>`;
        return /^(https:|\/|#)/.test(href) ? html`<a href="${href}">${new Html(words)}</a>`.text : words;
      },
      table(token: Tokens.Table) {
        const words = ({ tokens }: Tokens.TableCell): Html => new Html(this.parser.parseInline(tokens));
        const heads = token.header.map((cell) => html`<th>${words(cell)}</th>`);
        const rows = token.rows.map((row) => {
          // Where it is narrow a row is a card, and each cell below the first says its heading.
          const heading = (index: number) => token.header[index]?.text.replaceAll("`", "") ?? "";
          const cells = row.map(
            (cell, index) => html`<td${index > 0 && html` data-heading="${heading(index)}"`}>${words(cell)}</td>`,
          );
          return html`<tr>${cells}</tr>`;
        });
        return html`<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`.text;
      },
    },
  });
}

const descriptions = converter(ERROR_TARGETS);

/** A sentence or two. */
export const inline = (text: string): Html => new Html(descriptions.parseInline(text, { async: false }));

/** Paragraphs and lists. */
export const prose = (text: string): Html => new Html(descriptions.parse(text, { async: false }));

/** A guide; `targets` are the operations. */
export function guideMarkup(text: string, targets: Targets): Html {
  return new Html(converter(new Map([...ERROR_TARGETS, ...targets])).parse(text, { async: false }));
}
