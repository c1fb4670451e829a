import { type RequestHandler, Router } from "express";
import manifest from "../server.json" with { type: "json" };

/** Name, title and version as registries and assistants see them; the same in the manifest and in `initialize`. */
export const SERVER_INFO = { name: manifest.name, title: manifest.title, version: manifest.version };

/** The registry manifest at `{mcp_url}/server.json`: the repository's own, with this installation's address. */
export function serverManifest(mcpUrl: string): RequestHandler {
  const body = { ...manifest, remotes: [{ type: "streamable-http", url: mcpUrl }] };
  const router = Router();
  router.get("/mcp/server.json", (_request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cache-Control", "public, max-age=3600");
    response.json(body);
  });
  return router;
}
