import { type Request, type Response, Router } from "express";
import { type PageHeaders, pageHeaders } from "./headers.ts";

export type PathParams = Readonly<Record<string, string>>;

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
