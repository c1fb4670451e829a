/**
 * `npm run surface`: how the tools have changed since the last release. With `--release` the current surface is kept as
 * that of the version in package.json.
 */
import { writeFileSync } from "node:fs";
import packageManifest from "../../../package.json" with { type: "json" };
import { changesBetween } from "./changes.ts";
import { currentSurface, RELEASED, releasedSurface, surfaceFile } from "./surface.ts";

if (process.argv.includes("--release")) writeFileSync(RELEASED, surfaceFile(packageManifest.version));
const { version, tools } = releasedSurface();
const changes = changesBetween(tools, currentSurface());
for (const { kind, path, what } of changes) process.stdout.write(`${kind.padEnd(9)} ${path}: ${what}\n`);
process.stdout.write(`${changes.length} changes since ${version}\n`);
