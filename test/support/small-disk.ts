import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of the test's own that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all there is but so many bytes. */
  fill(leave?: number): void;
  /** Gives it back. */
  empty(): void;
  remove(): void;
}

/** Mounts one of `megabytes`, in memory; null where this process may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "receivables-disk-"));
  const mounting = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
  const isMounted = process.platform === "linux" && spawnSync("mount", mounting, { stdio: "ignore" }).status === 0;
  if (!isMounted) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
        // Others write meanwhile: what is left goes by the page.
        while (leave === 0) writeFileSync(ballast, Buffer.alloc(bsize), { flag: "a" });
      } catch {
        // Full.
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync("umount", ["-l", folder], { stdio: "ignore" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
