import { randomUUID } from "node:crypto";
import { z } from "zod";

/** The extension by which a client announces that it shows views (MCP Apps). */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";

/** The type of a view's document. */
export const VIEW_MIME_TYPE = "text/html;profile=mcp-app";

const PREFIX = "mcp-apps.";

const Announcing = z.object({
  extensions: z.object({ [VIEWS_EXTENSION]: z.object({ mimeTypes: z.array(z.unknown()) }) }),
});

/** Whether the capabilities that a client sends on `initialize` include views. */
export function announcesViews(capabilities: unknown) {
  const { data } = Announcing.safeParse(capabilities);
  return data?.extensions[VIEWS_EXTENSION].mimeTypes.includes(VIEW_MIME_TYPE) ?? false;
}

/**
 * A session id for a client that shows views. Clients repeat it on each request, so any process learns what was
 * announced, and nothing is stored. It grants no access: the bearer token does.
 */
export const newViewsSession = () => `${PREFIX}${randomUUID()}`;

/** Whether a request belongs to such a session, by its `Mcp-Session-Id`. */
export const isViewsSession = (id: string | string[] | undefined) => typeof id === "string" && id.startsWith(PREFIX);
