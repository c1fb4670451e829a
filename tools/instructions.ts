import { readText } from "../src/core/kernel/read-text.ts";

/** The server's `instructions`: rules that hold for every tool, said once because a model pays for each word. */
export const INSTRUCTIONS = readText(import.meta.url, "instructions.md");
