import type { Annotations } from "./tool.ts";

/** Of every tool that only reads the workspace's own book: asked again, it changes nothing and reaches nothing else. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
