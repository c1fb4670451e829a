import type { Annotations } from "./tool.ts";

/** Of every tool that only reads the workspace's own book: asked again, it changes nothing and reaches nothing else. */
export const READ_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * Of every tool that writes: what cannot be taken back, or what customers may act on, clients ask about first
 * (completions §11). Once with the same key or on the same object; again, it changes nothing.
 */
export const ACTS_OUTSIDE: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
