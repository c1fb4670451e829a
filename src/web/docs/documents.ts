import { type Html, html } from "../kit/html.ts";
import { type Description, operationsOf, resolve, type ShownOperation } from "./description.ts";
import { GUIDES, guideOf, sectionsOf, slugOf } from "./guides.ts";
import { guideMarkup, inline, prose } from "./markdown.ts";
import { operationSection } from "./operation.ts";
import { docsPage, type Group } from "./shell.ts";

/** Where the guides say that the service is. */
const SAID = "http://localhost:3000";

const ABOUT = { href: "/docs", title: "About the API" };

/** What a search finds, and where it leads. */
interface Indexed {
  readonly href: string;
  readonly title: string;
  readonly group: string;
  readonly text: string;
  /** Of an operation: the addresses of its parameters and fields, without its own. */
  readonly places?: readonly string[];
}

const guideLink = (name: string): Html => html`<a href="/docs/guides/${name}">${guideOf(name).title}</a>`;

/** The schemas that something refers to, and those that they refer to. */
function namesIn(value: unknown, schemas: Description["components"]["schemas"], found: Set<string>): Set<string> {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g))
    if (!found.has(name)) namesIn(schemas[name] ?? {}, schemas, found.add(name));
  return found;
}

/** The words that an operation is found by: its own, names and values of what it takes and answers, codes of errors. */
function wordsOf(operation: ShownOperation, { components }: Description): string {
  const { parameters, schemas, responses } = components;
  const taken = (operation.parameters ?? []).map((parameter) => resolve(parameter, parameters).name);
  const names = [...namesIn(operation, schemas, new Set())].flatMap((name) => {
    const { properties = {}, enum: values = [] } = schemas[name] ?? {};
    return [...Object.keys(properties), ...values.map(String)];
  });
  const codes = Object.values(operation.responses).flatMap((answer) =>
    [...resolve(answer, responses).description.matchAll(/^`(\w+)`:/gm)].map(([, code = ""]) => code),
  );
  return [operation.description, ...new Set([...taken, ...names, ...codes])].join(" ");
}

/** Every page of the documentation, by its path; made of the API's description and the guides. */
export class Documents {
  readonly #description: Description;
  readonly #operations: readonly ShownOperation[];
  readonly #origin: string;
  readonly #contents: readonly Group[];

  constructor(openApi: string, origin: string) {
    const description: Description = JSON.parse(openApi);
    this.#description = description;
    this.#operations = operationsOf(description);
    this.#origin = origin;
    this.#contents = [
      { name: "Guides", entries: GUIDES.map((name) => ({ href: `/docs/guides/${name}`, name: guideOf(name).title })) },
      { name: "Reference", entries: [{ href: ABOUT.href, name: ABOUT.title }] },
      ...this.#byTag().map(({ name, operations }) => ({
        name,
        entries: operations.map(({ operationId, summary, method }) => ({
          href: `/docs#${operationId}`,
          name: summary,
          method,
        })),
      })),
    ];
  }

  #byTag() {
    return this.#description.tags.map(({ name, description }) => ({
      name,
      description,
      operations: this.#operations.filter(({ tags }) => tags.includes(name)),
    }));
  }

  /** `/docs`: every operation. */
  reference(): string {
    const { title, description } = this.#description.info;
    const tags = this.#byTag().map(
      ({ name, description: words, operations }) => html`<section class="tag"><h2 id="${slugOf(name)}">${name}</h2>
<p>${inline(words)}</p>
${operations.map((operation) => operationSection(operation, this.#description, this.#origin))}</section>`,
    );
    return docsPage({
      title: "API reference",
      path: "/docs",
      contents: this.#contents,
      body: html`<h1>${title}</h1>
<p>Guides: ${GUIDES.map((name, index) => html`${index > 0 && " · "}${guideLink(name)}`)}. For a generator of clients: \
<a href="/openapi.json">openapi.json</a>.</p>
${prose(description)}
${tags}`,
    });
  }

  /** `/docs/guides/<name>`; one of GUIDES. */
  guide(name: string): string {
    const { title, text } = guideOf(name);
    const targets = new Map(
      this.#operations.map(({ method, path, operationId }) => [`${method} ${path}`, `/docs#${operationId}`]),
    );
    const next = GUIDES[GUIDES.indexOf(name) + 1];
    const [lead = "", ...parts] = text.replaceAll(SAID, this.#origin).split(/^(?=## )/m);
    const sections = parts.map((part) => (part.split("\n")[0] ?? "").slice(3));
    const links = sections.map(
      (heading, index) => html`${index > 0 && " · "}<a href="#${slugOf(heading)}">${heading}</a>`,
    );
    const body = html`<article class="guide">${guideMarkup(lead, targets)}
<p>On this page: ${links}.</p>
${guideMarkup(parts.join(""), targets)}
${next && html`<p class="next">Next: ${guideLink(next)}</p>`}</article>`;
    return docsPage({ title, path: `/docs/guides/${name}`, contents: this.#contents, body });
  }

  /** `/docs/search.json`: every section of a guide and every operation, with the words it is found by. */
  index(): string {
    const guides = GUIDES.flatMap((name) =>
      sectionsOf(guideOf(name)).map(({ heading, slug, text }): Indexed => {
        const place = slug === "" ? "" : `#${slug}`;
        return { href: `/docs/guides/${name}${place}`, title: heading, group: guideOf(name).title, text };
      }),
    );
    const operations = this.#operations.map((operation): Indexed => {
      const { operationId, summary, method, path, tags } = operation;
      return {
        href: `/docs#${operationId}`,
        title: summary,
        group: tags.join(", "),
        text: `${method} ${path} ${wordsOf(operation, this.#description)}`,
        places: this.#placesIn(operation),
      };
    });
    const { description: text } = this.#description.info;
    return JSON.stringify([{ ...ABOUT, group: "Reference", text }, ...guides, ...operations]);
  }

  #placesIn(operation: ShownOperation): string[] {
    const { text } = operationSection(operation, this.#description, this.#origin);
    return [...text.matchAll(/ id="(\w+)(\.[^"]+)"/g)].map(([, , place = ""]) => place);
  }
}
