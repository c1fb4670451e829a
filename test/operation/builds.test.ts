import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const SOURCES = ["auth", "skills", "src", "tools", "well-known", "docs/guides"];
const Packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);
const pack = (cwd: string, ...more: string[]): z.infer<typeof Packed>[0] =>
  Packed.parse(JSON.parse(execFileSync("npm", ["pack", "--json", ...more], { cwd, encoding: "utf8" })))[0];

describe("what is handed on", () => {
  it("is, as a package, the sources and what a registry shows [contract.operation.contents]", () => {
    expect(JSON.parse(read("package.json"))).toMatchObject({
      private: true,
      files: [...SOURCES, "server.json"].sort(),
    });
    const paths = pack(ROOT, "--dry-run").files.map(({ path }) => path);
    const isSource = (path: string): boolean => SOURCES.some((folder) => path.startsWith(`${folder}/`));
    expect(paths.filter((path) => !isSource(path)).sort()).toEqual(["README.md", "package.json", "server.json"]);
    const here = SOURCES.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
    );
    expect(paths.filter(isSource).sort()).toEqual(here.sort());
    // Something of another kind does not get in unseen: a key, a dump, a picture.
    const kinds = ".cjs .css .html .js .json .md .sql .svg .ts".split(" ");
    expect([...new Set(here.map((path) => extname(path)))].filter((kind) => !kinds.includes(kind))).toEqual([]);
  });

  it("is, as an image, the same sources and packages of the lock, put there by these steps [contract.operation.contents]", () => {
    const steps = read("Dockerfile")
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .filter((line) => /^(FROM|COPY|ADD|RUN) /.test(line));
    expect(steps).toEqual([
      `FROM \${NODE_IMAGE} AS packages`,
      "COPY package.json package-lock.json .npmrc ./",
      "RUN npm ci --omit=dev --omit=optional --ignore-scripts",
      `FROM \${NODE_IMAGE}`,
      "COPY --from=packages /app/node_modules node_modules",
      "COPY package.json server.json ./",
      "COPY src src",
      "COPY auth auth",
      "COPY tools tools",
      "COPY well-known well-known",
      "COPY skills skills",
      "COPY docs/guides docs/guides",
      "RUN install -d -o node -g node -m 0700 /data",
    ]);
    expect(read(".dockerignore").trim().split("\n").sort()).toEqual(
      [
        "*",
        ...["package.json", "package-lock.json", ".npmrc", "server.json", ...SOURCES].map((path) => `!${path}`),
      ].sort(),
    );
  });
});

describe("a package that is built twice", () => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-builds-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is the same byte for byte, whenever, where and by whom its files were checked out [contract.operation.same-bytes]", () => {
    const [one, other] = ["one", "another place"].map((name, at) => {
      const checkout = join(folder, name);
      for (const path of [...SOURCES, "README.md", "package.json", "server.json", ".npmrc"])
        cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
      for (const entry of readdirSync(checkout, { recursive: true, encoding: "utf8" })) {
        const path = join(checkout, entry);
        const isFolder = statSync(path).isDirectory();
        chmodSync(path, [isFolder ? 0o755 : 0o644, isFolder ? 0o775 : 0o664][at] ?? 0);
        utimesSync(path, at * 1e9, at * 1e9);
      }
      const { filename } = pack(checkout);
      return createHash("sha256")
        .update(readFileSync(join(checkout, filename)))
        .digest("hex");
    });
    expect(other).toBe(one);
  });
});
