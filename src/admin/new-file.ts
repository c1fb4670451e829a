import { writeFileSync } from "node:fs";
import { ServiceError } from "../core/kernel/error.ts";

/** Writes a file that only its owner can read; one that exists already is left unchanged. Throws ServiceError. */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
    throw new ServiceError("validation_failed", `${file} ${reason}.`);
  }
}
