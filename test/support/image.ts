import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { missing } from "../../cluster/programs.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** What the steps of the Dockerfile call, besides Node and npm. */
const TOOLS = ["sh", "env", "install"];
const USER = { name: "node", id: 1000 };

/** What keeps this machine from building the image and starting it confined; null where nothing does. */
export function imageMissing(): string | null {
  const without = missing(["buildah", "unshare", "capsh", "npm"]);
  if (without.length > 0) return `no ${without.join(", ")} here`;
  if (process.getuid?.() !== 0) return "not root here";
  return spawnSync("unshare", ["--mount", "true"]).status === 0 ? null : "no mounts of one's own here";
}

const Built = z.looseObject({
  Docker: z.looseObject({
    rootfs: z.looseObject({ diff_ids: z.array(z.string()).min(2) }),
    config: z.looseObject({
      User: z.string(),
      Env: z.array(z.string()),
      Cmd: z.array(z.string()),
      WorkingDir: z.string(),
      Volumes: z.record(z.string(), z.unknown()),
      Healthcheck: z.looseObject({ Test: z.array(z.string()) }),
    }),
  }),
});

/** What an image says of how it is started. */
export type ImageConfig = z.infer<typeof Built>["Docker"]["config"];

const said = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: "utf8", stdio: "pipe" }).trim();
const placeOf = (tool: string): string => said("sh", "-c", `command -v ${tool}`);

/**
 * Stands in for `node:24-bookworm-slim` where no registry is reached: this machine's Node, npm and the few programs that the
 * Dockerfile calls, with their libraries, and the user `node`.
 */
function makeBase(base: string): void {
  const put = (from: string, to = from): void => {
    mkdirSync(join(base, dirname(to)), { recursive: true });
    cpSync(realpathSync(from), join(base, to), { recursive: true, dereference: true });
  };
  const withLibraries = (from: string, to = from): void => {
    put(from, to);
    for (const [library] of said("ldd", from).matchAll(/\/\S+/g)) put(library);
  };
  for (const folder of ["bin", "lib", "lib64"]) {
    mkdirSync(join(base, "usr", folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(base, folder));
  }
  for (const tool of TOOLS) withLibraries(placeOf(tool));
  withLibraries(process.execPath, "/usr/local/bin/node");
  const npm = "/usr/local/lib/node_modules/npm";
  put(resolve(realpathSync(placeOf("npm")), "../.."), npm);
  symlinkSync(`${npm}/bin/npm-cli.js`, join(base, "usr/local/bin/npm"));
  for (const folder of ["etc", "dev", "proc", "tmp", "usr/local/etc"])
    mkdirSync(join(base, folder), { recursive: true });
  chmodSync(join(base, "tmp"), 0o1777);
  const { name, id } = USER;
  writeFileSync(join(base, "etc/passwd"), `root:x:0:0::/:/bin/sh\n${name}:x:${id}:${id}::/:/bin/sh\n`);
  writeFileSync(join(base, "etc/group"), `root:x:0:\n${name}:x:${id}:\n`);
  // Packages come from what this machine's npm has fetched already.
  writeFileSync(join(base, "usr/local/etc/npmrc"), "cache=/npm\nprefer-offline=true\n");
}

/** Images of a test's own, in a folder of its own. */
export class Images {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The base, tagged as given; its digest. */
  base(tag: string): string {
    const folder = join(this.#folder, "base");
    makeBase(folder);
    const container = this.#buildah("from", "scratch");
    this.#buildah("copy", "--quiet", container, folder, "/");
    this.#buildah("config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin", container);
    this.#buildah("commit", "--quiet", "--rm", container, tag);
    rmSync(folder, { recursive: true });
    return this.#buildah("images", "--format", "{{.Digest}}", "--no-trunc", tag);
  }

  /** Builds the repository's Dockerfile on that base, which is taken from here or not at all. */
  build(tag: string, base: string): void {
    // Without the time of day, as docs/security.md has it.
    const options = "--isolation chroot --format docker --pull-never --quiet --timestamp 0".split(" ");
    const cache = `${said("npm", "config", "get", "cache")}:/npm`;
    this.#buildah("build", ...options, "--volume", cache, "--build-arg", `NODE_IMAGE=${base}`, "--tag", tag, ROOT);
  }

  config(tag: string): ImageConfig {
    return this.#inspect(tag).config;
  }

  /** The digests of its layers: of every byte that it holds. */
  layers(tag: string): string[] {
    return this.#inspect(tag).rootfs.diff_ids;
  }

  #inspect(tag: string): z.infer<typeof Built>["Docker"] {
    return Built.parse(JSON.parse(this.#buildah("inspect", "--type", "image", tag))).Docker;
  }

  /** A container's file system. */
  mount(tag: string): string {
    return this.#buildah("mount", this.#buildah("from", "--pull-never", tag));
  }

  /** Unmounts and deletes everything. */
  remove(): void {
    this.#buildah("rm", "--all");
    this.#buildah("rmi", "--all", "--force");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #buildah(...args: string[]): string {
    const where = ["--root", join(this.#folder, "images"), "--runroot", join(this.#folder, "run")];
    return said("buildah", ...where, "--storage-driver", "vfs", ...args);
  }
}

/** What an engine does for `read_only`, `tmpfs: /tmp`, a volume, `cap_drop: ALL` and `no-new-privileges`. */
const CONFINE = `set -e
  mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"
  mount -t tmpfs tmpfs "$1/tmp"; mount --bind "$2" "$1$3"
  mount --rbind /dev "$1/dev"; mount --rbind /proc "$1/proc"
  root=$1 id=$4 cd=$5; shift 5
  exec capsh --drop=all --inh= --noamb --no-new-privs --chroot="$root" --gid=$id --groups= --uid=$id --shell=/bin/sh \\
    -- -c 'cd "$0" && exec "$@"' "$cd" "$@"`;

/** Runs a command in a container as the image's user, on the image's file system, read-only but for `/tmp` and its volume. */
export function confined(
  root: string,
  { User, Volumes, WorkingDir, Env }: ImageConfig,
  { volume, command, environment }: { volume: string; command: string[]; environment: Record<string, string> },
): ChildProcess {
  const id = new RegExp(`^${User}:x:(\\d+):`, "m").exec(readFileSync(join(root, "etc/passwd"), "utf8"))?.[1];
  const [place] = Object.keys(Volumes);
  if (id === undefined || place === undefined) throw new Error("the image has no such user, or no volume");
  const own = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const args = ["--mount", "--propagation", "private", "sh", "-c", CONFINE, "sh", root, volume, place, id, WorkingDir];
  return spawn("unshare", [...args, ...command], {
    env: { ...own, PATH: `${own.PATH}:${process.env.PATH}`, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
