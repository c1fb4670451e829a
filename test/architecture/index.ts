import { ACT_RULES } from "./acts.ts";
import { type Allowed, type LimitRule, limited, neverGrows } from "./allowed.ts";
import { BARE_CALL_RULE } from "./bare-calls.ts";
import { DOCUMENT_RULES } from "./documents.ts";
import { LAYER_RULES } from "./layers.ts";
import { NAME_RULE } from "./names.ts";
import { PHRASE_RULES } from "./phrases.ts";
import type { Rule } from "./rule.ts";
import { SIZE_RULES } from "./sizes.ts";
import { SOURCE_RULES } from "./sources.ts";

/** Rules that old code may break to the extent of test/architecture/allowed.json. */
export const LIMIT_RULES: readonly LimitRule[] = [...SIZE_RULES, NAME_RULE, ...PHRASE_RULES];

/** Every rule of the architecture, for the repository at `root`. */
export function architectureRules(root: string, allowed: Allowed): readonly Rule[] {
  return [
    ...LAYER_RULES,
    ...SOURCE_RULES,
    ...ACT_RULES,
    BARE_CALL_RULE,
    ...DOCUMENT_RULES,
    ...LIMIT_RULES.map((rule) => limited(rule, allowed)),
    neverGrows(root, allowed),
  ];
}
