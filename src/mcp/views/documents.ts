import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { isViewName, VIEWS, type ViewName } from "../../../tools/views.ts";
import type { Log } from "../../core/gate/dependencies.ts";

/** A view as hosts read it. */
export interface ViewDocument {
  readonly name: ViewName;
  readonly title: string;
  readonly description: string;
  /** Ends with a hash of the content, so that hosts may cache it forever. */
  readonly uri: string;
  readonly html: string;
}

const Bundle = z.object({ style: z.string(), scripts: z.record(z.string(), z.string()) });
const execute = promisify(execFile);

/**
 * Builds all views in a process of their own: stripping types needs a compiler of 20 MB, which would stay in memory.
 * @throws Error if the sources cannot be read or the process fails.
 */
export async function readViews(): Promise<ReadonlyMap<ViewName, ViewDocument>> {
  const program = join(import.meta.dirname, "bundle.ts");
  const names = Object.keys(VIEWS).filter(isViewName);
  const args = ["--disable-warning=ExperimentalWarning", program, ...names];
  const { stdout } = await execute(process.execPath, args, { env: {}, timeout: 60_000, maxBuffer: 4 * 1024 * 1024 });
  const { style, scripts } = Bundle.parse(JSON.parse(stdout));
  return new Map(names.map((name) => [name, documentOf(name, style, scripts[name] ?? "")]));
}

/** One file that makes no requests: its policy allows only its own script and style, and no address. */
function documentOf(name: ViewName, style: string, script: string): ViewDocument {
  const { title, description } = VIEWS[name];
  const policy = `default-src 'none'; script-src ${sourceOf(script)}; style-src ${sourceOf(style)}; base-uri 'none'; form-action 'none'`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><main id="view"></main><script type="module">${script}</script></body></html>
`;
  const hash = createHash("sha256").update(html).digest("hex").slice(0, 12);
  return { name, title, description, uri: `ui://receivables/${name}.${hash}.html`, html };
}

function sourceOf(inline: string) {
  return `'sha256-${createHash("sha256").update(inline).digest("base64")}'`;
}

/** The views of this process. */
export type Views = () => Promise<ReadonlyMap<ViewName, ViewDocument>>;

/** Builds the views when a client first asks, and caches them. If that fails, tools have none, and the log says why. */
export function keptViews(log: Pick<Log, "error">, read: Views = readViews): Views {
  let kept: ReturnType<Views> | undefined;
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined;
      log.error({ err: error }, "mcp.views_failed");
      return new Map();
    });
    return kept;
  };
}

/** The view at an address. A hash of another release gets the current view, because clients cache lists of tools. */
export function viewNamed(uri: string) {
  const name = /^ui:\/\/receivables\/(\w+)\.[0-9a-f]{12}\.html$/.exec(uri)?.[1] ?? "";
  return isViewName(name) ? name : undefined;
}
