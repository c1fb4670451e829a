import { inflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";

/** Pixels as rows of red, green, blue and alpha bytes. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A picture as mails carry it, and how large it is shown. */
export interface Logo {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Why a file is not taken. */
export type PictureProblem = "type" | "size" | "damaged";

/** A file that is not taken as a picture. */
export class PictureRefused extends Error {
  override readonly name = "PictureRefused";
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem) {
    super(`not taken as a picture: ${problem}`);
    this.problem = problem;
  }
}

const MAX_SIDE = 4_000;
const MAX_PIXELS = 8_000_000;
/** Twice of what is shown, for dense screens. */
const KEPT = { width: 480, height: 160 };
const MAX_PNG_BYTES = 200_000;

/** Decodes a PNG or JPEG within limits, and encodes its pixels only, small enough for a mail. Throws {@link PictureRefused}. */
export function logoOf(file: Uint8Array): Logo {
  const pixels = decoded(Buffer.from(file));
  let scale = Math.min(1, KEPT.width / pixels.width, KEPT.height / pixels.height);
  for (;;) {
    const kept = scaled(pixels, scale);
    const png = encoded(kept);
    if (png.byteLength <= MAX_PNG_BYTES)
      return { png, width: Math.ceil(kept.width / 2), height: Math.ceil(kept.height / 2) };
    scale *= 0.8;
  }
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function decoded(file: Buffer): Pixels {
  const isPng = file.subarray(0, 8).equals(PNG_SIGNATURE);
  const isJpeg = file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  if (!isPng && !isJpeg) throw new PictureRefused("type");
  try {
    return isPng ? decodedPng(file) : decodedJpeg(file);
  } catch (error) {
    throw error instanceof PictureRefused ? error : new PictureRefused("damaged");
  }
}

function decodedPng(file: Buffer): Pixels {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  assertSize(width, height);
  const { rows, end } = chunksOf(file);
  // The decoder unpacks the rows of an interlaced file without a limit.
  inflateSync(rows, { maxOutputLength: width * height * 8 + 16 * height + 1_024 });
  return PNG.sync.read(file.subarray(0, end));
}

/** A PNG's packed rows, and where it ends: the decoder refuses what some programs append. */
function chunksOf(file: Buffer): { rows: Buffer; end: number } {
  const parts: Buffer[] = [];
  let [at, type] = [8, ""];
  while (at + 12 <= file.length && type !== "IEND") {
    const length = file.readUInt32BE(at);
    type = file.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { rows: Buffer.concat(parts), end: at };
}

function decodedJpeg(file: Buffer): Pixels {
  const { width, height } = jpegSize(file);
  assertSize(width, height);
  const limits = { maxResolutionInMP: MAX_PIXELS / 1_000_000, maxMemoryUsageInMB: 256 };
  return jpeg.decode(file, { useTArray: true, tolerantDecoding: false, ...limits });
}

/** The size in a JPEG's frame header. */
function jpegSize(file: Buffer): { width: number; height: number } {
  for (let at = 2; at + 9 < file.length; ) {
    const marker = file.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffc2;
    if (isFrame) return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    at += 2 + file.readUInt16BE(at + 2);
  }
  throw new PictureRefused("damaged");
}

function assertSize(width: number, height: number) {
  const isFair = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;
  if (!isFair) throw new PictureRefused("size");
}

/** Each pixel is the mean of those it stands for, by how opaque they are. */
function scaled({ width, height, data }: Pixels, scale: number): Pixels {
  const [toWidth, toHeight] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const result = new Uint8Array(toWidth * toHeight * 4);
  for (let y = 0; y < toHeight; y++) {
    const rows = span(y, toHeight, height);
    for (let x = 0; x < toWidth; x++)
      result.set(mean({ width, data }, span(x, toWidth, width), rows), (y * toWidth + x) * 4);
  }
  return { width: toWidth, height: toHeight, data: result };
}

type Span = readonly [from: number, to: number];

function span(index: number, parts: number, of: number): Span {
  const from = Math.floor((index * of) / parts);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * of) / parts))];
}

function mean({ width, data }: Pick<Pixels, "width" | "data">, columns: Span, rows: Span) {
  let [red, green, blue, opacity, count] = [0, 0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y++)
    for (let x = columns[0]; x < columns[1]; x++) {
      const at = (y * width + x) * 4;
      const alpha = data[at + 3] ?? 0;
      red += (data[at] ?? 0) * alpha;
      green += (data[at + 1] ?? 0) * alpha;
      blue += (data[at + 2] ?? 0) * alpha;
      opacity += alpha;
      count += 1;
    }
  if (opacity === 0) return [0, 0, 0, 0];
  return [red / opacity, green / opacity, blue / opacity, opacity / count].map(Math.round);
}

function encoded({ width, height, data }: Pixels): Uint8Array {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data);
  return PNG.sync.write(png, { deflateLevel: 9, colorType: 6 });
}
