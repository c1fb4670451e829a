import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ServiceError } from "../core/gate/error.ts";

/** Writes a file that only its owner can read; one that exists already is left unchanged. Throws ServiceError. */
export function writeNewFile(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text, { flag: "wx", mode: 0o600 }));
}

/** Writes files into a new folder, by their paths in it. Throws ServiceError where the folder exists. */
export function writeNewFolder(folder: string, files: Readonly<Record<string, string>>): void {
  attempt(folder, () => {
    mkdirSync(folder);
    for (const [path, text] of Object.entries(files)) {
      const file = `${folder}/${path}`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    }
  });
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
    throw new ServiceError("validation_failed", `${path} ${reason}.`);
  }
}
