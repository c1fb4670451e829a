import type { Requirements } from "../requirements.ts";

export default {
  "contract.crash":
    "a process killed in mid-pull loses nothing committed, doubles nothing, and the next pull completes",
  "contract.real-run": "a real book pulled through the connector ages to the cent as the file itself says",
} satisfies Requirements;
