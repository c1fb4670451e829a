import { parentPort, workerData } from "node:worker_threads";
import { logoOf, type PictureProblem, PictureRefused } from "./picture.ts";

/** What the worker answers. */
export type PictureAnswer = { png: Uint8Array; width: number; height: number } | { problem: PictureProblem };

function answer(): PictureAnswer {
  const file: unknown = workerData;
  try {
    return logoOf(file instanceof Uint8Array ? file : new Uint8Array());
  } catch (error) {
    if (error instanceof PictureRefused) return { problem: error.problem };
    throw error;
  }
}

parentPort?.postMessage(answer());
