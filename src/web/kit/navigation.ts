import type { WebSession } from "../../../auth/sessions.ts";
import { html } from "./html.ts";
import { aside } from "./parts.ts";

/** A page as others lead to it. */
export interface Listing {
  readonly path: string;
  readonly name: string;
  /** Its group among the settings, and what it is for; without one it is in the main navigation. */
  readonly settings?: { readonly group: string; readonly words: string; readonly forAdmins?: true } | undefined;
  /** The path of the page that it is beside, as a tab; such a page is in no navigation of its own. */
  readonly beside?: string | undefined;
}

export const SETTINGS_PATH = "/settings";
const SETTINGS_NAME = "Settings";

type Person = Pick<WebSession, "administers">;

/** The order of the pages, as people see it. */
export class Navigation {
  readonly #pages: readonly Listing[];

  constructor(pages: readonly Listing[]) {
    this.#pages = pages;
  }

  /** The pages of the main navigation. */
  get main() {
    const main = this.#pages.filter(({ settings, beside }) => settings === undefined && beside === undefined);
    return [...main, { path: SETTINGS_PATH, name: SETTINGS_NAME }];
  }

  /** The page that an address is of or below, and the page of a navigation that leads to it. */
  #placeOf(path: string) {
    const within = this.#pages.filter((page) => `${path}/`.startsWith(`${page.path}/`));
    const [nearest] = within.sort((a, b) => b.path.length - a.path.length);
    return { nearest, leading: this.#pages.find((page) => page.path === nearest?.beside) ?? nearest };
  }

  /** The page of the main navigation that an address belongs to, by its path. */
  mainPath(path: string) {
    const { leading } = this.#placeOf(path);
    return leading?.settings === undefined ? (leading?.path ?? path) : SETTINGS_PATH;
  }

  /** The page that an address is below. */
  above(path: string) {
    return this.#placeOf(path).nearest ?? { path: "/", name: "Overview" };
  }

  /** The page at an address, and those beside it. */
  tabs(path: string) {
    const { nearest, leading } = this.#placeOf(path);
    const together = this.#pages.filter((page) => page === leading || (leading && page.beside === leading.path));
    return together.map((page) => ({ ...page, isCurrent: page === nearest }));
  }

  /** The groups of settings with the pages that a person has, empty ones left out. */
  #groups({ administers }: Person) {
    const pages = this.#pages.filter(({ settings }) => settings && (administers || settings.forAdmins !== true));
    return [...Map.groupBy(pages, ({ settings }) => settings?.group)].map(([name, of]) => ({ name, pages: of }));
  }

  /** Beside a page of the settings: one link to all of them where there is no room for it. Null for other pages. */
  beside(person: Person, path: string) {
    const { leading } = this.#placeOf(path);
    if (leading?.settings === undefined) return null;
    const current = (page: Listing) =>
      page === leading && html` aria-current="${path === page.path ? "page" : "true"}"`;
    const groups = this.#groups(person).map(({ name, pages }, place) => {
      const links = pages.map((page) => html`<li><a href="${page.path}"${current(page)}>${page.name}</a></li>`);
      const id = `settings-${place}`;
      return html`<div class="group"><p id="${id}">${name}</p><ul aria-labelledby="${id}">${links}</ul></div>`;
    });
    return html`<nav class="pages" aria-label="${SETTINGS_NAME}">\
<a class="up" href="${SETTINGS_PATH}">All settings</a>${groups}</nav>`;
  }

  /** `/settings`: every page of the settings, with what it is for. */
  settingsView(person: Person) {
    const item = ({ path, name, settings }: Listing) =>
      html`<li><strong><a href="${path}">${name}</a></strong> ${aside(settings?.words)}</li>`;
    const group = ({ name, pages }: { name: string | undefined; pages: readonly Listing[] }) =>
      html`<section class="part"><h2>${name}</h2>
<ul class="needs">${pages.map(item)}</ul></section>`;
    return html`<h1>${SETTINGS_NAME}</h1>
<div class="index">${this.#groups(person).map(group)}</div>`;
  }
}
