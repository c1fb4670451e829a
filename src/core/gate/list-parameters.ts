import { z } from "zod";
import { nameSchemas } from "../kernel/wire-types.ts";
import { MAX_CURSOR_LENGTH } from "./cursor.ts";

export const Cursor = z.string().min(1).max(MAX_CURSOR_LENGTH).describe("`next_cursor` of the previous page");

export const SortOrder = z.enum(["asc", "desc"]);
nameSchemas({ SortOrder });

/** The parameters every list shares (service.md §4.1). */
export const LIST_PARAMETERS = {
  limit: z.int().min(1).max(100).default(25).describe("Page size"),
  cursor: Cursor.optional(),
  order: SortOrder.default("desc").describe("By creation time"),
  include_total: z.boolean().default(false).describe("Also count all matching rows"),
};
