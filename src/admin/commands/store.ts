import { z } from "zod";
import { describeStore, StoreDescription } from "../../core/workspace/describe-store.ts";
import { moveWorkspace } from "../../core/workspace/operations/move-workspace.ts";
import { type Command, command, option, workspaceCommand } from "../command.ts";
import { render } from "../render.ts";

/** Lines of a list for people; `--json` has all of it. */
const SHOWN = 20;
const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** 4831838208 as `4.8 GB`. */
function readableSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A list under its heading, its sizes readable; nothing of an empty one. */
function section(heading: string, rows: readonly ({ size_bytes: number } & Row)[], columns?: number): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN).map(({ size_bytes: bytes, ...row }) => ({ ...row, size: readableSize(bytes) }));
  const more = rows.length > SHOWN ? [`… and ${rows.length - SHOWN} more (--json has them all)`] : [];
  return [["", heading, render(shown, columns), ...more].join("\n")];
}

function show(result: unknown, columns?: number): string {
  const { kind, postgresql_version, citus_version, size_bytes, standbys, workers, workspaces, tables } =
    StoreDescription.parse(result);
  const head = {
    store: kind === "citus" ? `Citus ${citus_version}` : kind === "embedded" ? "embedded" : "PostgreSQL",
    postgresql: postgresql_version,
    size: readableSize(size_bytes),
    ...(kind === "embedded"
      ? {}
      : { standbys: standbys.map(({ name, mode, state }) => `${name} (${mode}, ${state})`) }),
  };
  const onOneServer = workspaces.map(({ worker: _, is_alone: __, ...rest }) => rest);
  return [
    render(head, columns),
    ...section("Workers", workers, columns),
    ...section("Workspaces, by their share of rows", kind === "citus" ? workspaces : onOneServer, columns),
    ...section("Tables, with their indexes", tables, columns),
  ].join("\n");
}

export const storeCommands: readonly Command[] = [
  command("store describe", {
    summary: "what the store is, where workspaces lie in it, and how large they and the tables are",
    run: ({ core }) => describeStore(core),
    show,
  }),
  workspaceCommand("store move", {
    summary: "move a workspace to another worker of Citus, while it goes on working",
    input: z.strictObject({ to: option(z.string().min(1), "HOST:PORT", "the worker, as `store describe` has it") }),
    run: ({ operate }, { to }) => operate(moveWorkspace, { to }),
  }),
];
