import { spawnSync } from "node:child_process";

/** Programs that a few tests call, and a bare machine may not have. */
export const PROGRAMS = ["curl", "jq", "openssl", "psql"] as const;

/** Whether this machine has one of them. */
export const hasProgram = (name: (typeof PROGRAMS)[number]): boolean =>
  spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
