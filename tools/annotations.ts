import type { Annotations } from "./tool.ts";

/** Of every tool that only reads the workspace's own book: asked again, it changes nothing and reaches nothing else. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Of a tool that adds something beyond the workspace's own book; with the same key, once. */
export const ADDS_OUTSIDE: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Of a tool that changes when something happens beyond the workspace's own book; again, it changes nothing. */
export const MOVES_OUTSIDE: Annotations = ADDS_OUTSIDE;

/** Of a tool that ends something beyond the workspace's own book for good; again, it changes nothing. */
export const ENDS_OUTSIDE: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
