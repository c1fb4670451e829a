import type { Requirements } from "../requirements.ts";

export default {
  "completions.10.errors.own-words":
    "what is wrong with an input is said by us, for every operation and command: never a library's words",
  "completions.10.errors.steer":
    "an error names the value and what would be right; the nearest field, who takes it, where an id is found, what is in the way",
} satisfies Requirements;
