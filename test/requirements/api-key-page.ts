import type { Requirements } from "../requirements.ts";

export default {
  "service.5.1.keys": "an admin of the workspace creates keys, each shown exactly once, and revokes them",
} satisfies Requirements;
