import { type RequestHandler, Router } from "express";

/** The registry manifest at `{mcp_url}/server.json`. */
export function serverManifest(manifest: object): RequestHandler {
  const router = Router();
  router.get("/mcp/server.json", (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cache-Control", "public, max-age=3600");
    response.json(manifest);
  });
  return router;
}
