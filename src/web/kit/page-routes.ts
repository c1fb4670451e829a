import { type Request, type Response, Router } from "express";
import { type PageHeaders, pageHeaders } from "./headers.ts";
import { type Page, renderPage } from "./layout.ts";

export type PathParams = Readonly<Record<string, string>>;

/** Sends a page of one form or message, which by default is for nobody who is signed in. */
export function sendNarrow(response: Response, page: Pick<Page, "title" | "body"> & Partial<Page>, status = 200): void {
  response.status(status).send(renderPage({ person: null, narrow: true, ...page }));
}

type Answer<P> = (request: Request<P>, response: Response) => void | Promise<void>;

/** Where pages and forms are added: every answer of theirs has a page's headers. */
export class PageRoutes {
  readonly router: Router;
  readonly #setHeaders: ReturnType<typeof pageHeaders>;

  constructor(headers: PageHeaders, router = Router()) {
    this.router = router;
    this.#setHeaders = pageHeaders(headers);
  }

  get<P = PathParams>(path: string | string[], show: Answer<P>): void {
    this.router.get<P>(path, this.#setHeaders, show);
  }

  post<P = PathParams>(path: string, work: Answer<P>): void {
    this.router.post<P>(path, this.#setHeaders, work);
  }
}
