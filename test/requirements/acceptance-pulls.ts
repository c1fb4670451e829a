import type { Requirements } from "../requirements.ts";

export default {
  "contract.crash":
    "a process killed in mid-pull loses nothing committed, doubles nothing, and the next pull completes",
} satisfies Requirements;
