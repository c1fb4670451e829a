import { LOOKUPS } from "./lookup.ts";
import type { Question } from "./question.ts";
import { SUMS } from "./sum.ts";

/** Every question, by class. */
export const QUESTIONS: readonly Question[] = [...LOOKUPS, ...SUMS];
