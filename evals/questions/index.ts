import { ACTIONS } from "./action.ts";
import { CHANGES } from "./change.ts";
import { FILTERS } from "./filter.ts";
import { COLLECTING_FILTERS } from "./filter-collecting.ts";
import { HOSTILES } from "./hostile.ts";
import { LOOKUPS } from "./lookup.ts";
import type { Question } from "./question.ts";
import { RANKINGS } from "./ranking.ts";
import { REFUSALS } from "./refusal.ts";
import { SUMS } from "./sum.ts";
import { TIMES } from "./time.ts";
import { VAGUE } from "./vague.ts";
import { VAGUE_FIGURES } from "./vague-figures.ts";
import { WHYS } from "./why.ts";

/** Every question, by class. */
export const QUESTIONS: readonly Question[] = [
  ...LOOKUPS,
  ...SUMS,
  ...RANKINGS,
  ...FILTERS,
  ...COLLECTING_FILTERS,
  ...TIMES,
  ...WHYS,
  ...CHANGES,
  ...ACTIONS,
  ...REFUSALS,
  ...HOSTILES,
  ...VAGUE_FIGURES,
  ...VAGUE,
];
