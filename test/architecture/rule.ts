import type { Project } from "./project.ts";

/** A rule of the architecture that a machine can check. */
export interface Rule {
  /** What has to hold, as a sentence. */
  readonly rule: string;
  /** Why it is there. */
  readonly why: string;
  /** What to do where it is broken. */
  readonly fix: string;
  /** Each place that breaks it, in one line; none where it holds. */
  find(project: Project): string[];
}

/** A rule as the check prints it where it is broken. */
export function report({ rule, why, fix }: Rule, found: readonly string[], shown = 20): string {
  const more = found.length > shown ? [`  … and ${found.length - shown} more`] : [];
  return [
    `✗ ${rule}`,
    ...found.slice(0, shown).map((line) => `  ${line}`),
    ...more,
    `  Why: ${why}`,
    `  Fix: ${fix}`,
  ].join("\n");
}
