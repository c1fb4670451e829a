import { Worker } from "node:worker_threads";
import { type Logo, PictureRefused } from "./picture.ts";
import type { PictureAnswer } from "./picture-worker.ts";

export { type Logo, type PictureProblem, PictureRefused } from "./picture.ts";

/** Files above are not looked at. */
export const MAX_PICTURE_BYTES = 2_000_000;

const TIME_MS = 10_000;
const MEMORY_MB = 192;

/**
 * A logo made of an uploaded PNG or JPEG. It is decoded in a thread of its own, which a file made to cost much only takes its
 * time and memory of. Rejects with {@link PictureRefused}.
 */
export async function readLogo(file: Uint8Array, { timeMs = TIME_MS }: { timeMs?: number } = {}): Promise<Logo> {
  if (file.byteLength > MAX_PICTURE_BYTES) throw new PictureRefused("size");
  const worker = new Worker(new URL("./picture-worker.ts", import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<PictureAnswer>();
  const timer = setTimeout(() => reject(new PictureRefused("size")), timeMs);
  worker.once("message", resolve);
  // Out of memory, or a fault of a decoder.
  worker.once("error", () => reject(new PictureRefused("damaged")));
  worker.once("exit", () => reject(new PictureRefused("damaged")));
  try {
    const answer = await promise;
    if ("problem" in answer) throw new PictureRefused(answer.problem);
    return answer;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
