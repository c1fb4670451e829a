import { Router } from "express";

/** Serves a document that pages of every origin may read and keep for `seconds`; `body` makes it for each request. */
export function published(paths: string | string[], type: string, seconds: number, body: () => string | Buffer) {
  const router = Router();
  router.get(paths, (_request, response) => {
    response.set({ "Cache-Control": `public, max-age=${seconds}`, "Access-Control-Allow-Origin": "*" });
    response.type(type).send(body());
  });
  return router;
}
