import { spawnSync } from "node:child_process";

/** Programs that the documents call. */
export const DOCUMENTED = ["curl", "jq", "openssl", "psql"] as const;

/** Programs that a few tests call, and a bare machine may not have. */
export const PROGRAMS = [...DOCUMENTED, "ssconvert"] as const;

/** Whether this machine has one of them. */
export const hasProgram = (name: (typeof PROGRAMS)[number]): boolean =>
  spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
