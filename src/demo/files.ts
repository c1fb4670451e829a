import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../config.ts";

/** Writes a file atomically, readable by its owner only; creates its folder. */
export function writePrivately(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
}

/** Reads a file of {@link writePrivately}; null when it does not exist. Throws ConfigError when it is damaged. */
export function readPrivate(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    if (error instanceof SyntaxError)
      throw new ConfigError(
        `DATA_DIR: ${path} is no JSON any more. Put it back as it was, or remove it: the demo then does without what it held. DEMO=off starts without the demo.`,
      );
    throw error;
  }
}
