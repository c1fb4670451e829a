import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pluginManifests } from "../src/listing/plugin.ts";

/** Writes the manifests by which the repository is a plugin; a test fails when they differ. */
if (import.meta.main)
  for (const [path, text] of Object.entries(pluginManifests())) {
    const file = join(import.meta.dirname, "..", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
