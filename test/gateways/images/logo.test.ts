import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { MAX_PICTURE_BYTES, PictureRefused, readLogo } from "../../../src/gateways/images/index.ts";

function pixels(width: number, height: number, color: (x: number, y: number) => number[] = () => [200, 20, 60, 255]) {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(color(x, y), (y * width + x) * 4);
  return { width, height, data };
}
function png(width: number, height: number, color?: (x: number, y: number) => number[]): Buffer {
  const picture = new PNG({ width, height });
  picture.data = pixels(width, height, color).data;
  return PNG.sync.write(picture);
}
const jpg = (width: number, height: number): Buffer => jpeg.encode(pixels(width, height), 90).data;

/** A PNG that says of itself what it is not, with rows that unpack to `rows` bytes. */
function liar(size: { width: number; height: number; interlaced?: boolean }, rows: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([8, 6, 0, 0, size.interlaced ? 1 : 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const frame = Buffer.alloc(12 + data.length);
    frame.writeUInt32BE(data.length, 0);
    frame.write(type, 4, "latin1");
    data.copy(frame, 8);
    frame.writeUInt32BE(crc32(frame.subarray(4, 8 + data.length)), 8 + data.length);
    return frame;
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const packed = deflateSync(Buffer.alloc(rows));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", packed), chunk("IEND", Buffer.alloc(0))]);
}
/** A progressive JPEG of many scans, each of which costs a pass over the picture. */
function manyScans(): Buffer {
  const frame = [0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0x0b, 0xb8, 0x0a, 0x00, 1, 1, 0x11, 0];
  const table = [0xff, 0xc4, 0, 20, 0x10, 0, 1, ...new Array(14).fill(0), 0xe0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, 0x00, 0x00, 0x00, 0x00];
  return Buffer.concat([
    Buffer.from([...frame, ...table]),
    ...new Array(60_000).fill(Buffer.from(scan)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const SVG = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;

describe("an uploaded logo", () => {
  it.each([
    ["an SVG with a script", Buffer.from(SVG), "type"],
    ["a GIF", Buffer.from("GIF89a\x01\x00\x01\x00", "latin1"), "type"],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), "type"],
    ["nothing", Buffer.alloc(0), "type"],
    ["a WebP", Buffer.from("RIFF\x24\x00\x00\x00WEBPVP8 ", "latin1"), "type"],
    ["an SVG behind a PNG's signature", Buffer.concat([png(1, 1).subarray(0, 8), Buffer.from(SVG)]), "size"],
    ["a PNG cut off", png(40, 40).subarray(0, 60), "damaged"],
    ["a PNG of 50,000 pixels on a side", liar({ width: 50_000, height: 50_000 }, 10), "size"],
    ["a PNG of no size", liar({ width: 0, height: 10 }, 10), "size"],
    ["a PNG of 16 million pixels", liar({ width: 4_000, height: 4_000 }, 10), "size"],
    ["a PNG whose rows unpack to 500 MB", liar({ width: 10, height: 10 }, 500_000_000), "damaged"],
    ["an interlaced one", liar({ width: 10, height: 10, interlaced: true }, 500_000_000), "damaged"],
    ["a JPEG without an end", jpg(40, 40).subarray(0, 30), "damaged"],
    ["too large a file", Buffer.concat([png(4, 4), Buffer.alloc(MAX_PICTURE_BYTES)]), "size"],
  ])("is not taken where it is %s [completions.7.logo]", async (_, file, problem) => {
    const before = process.memoryUsage().rss;
    const refused = await readLogo(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PictureRefused);
    expect(refused).toMatchObject({ problem });
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  it("takes no more than its time, and the service goes on meanwhile [completions.7.logo]", async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    const refused = await readLogo(manyScans(), { timeMs: 1_500 }).catch((error: unknown) => error);
    clearInterval(ticking);
    expect(refused).toBeInstanceOf(PictureRefused);
    // A picture read in this thread would let at most the turn before it and the one after it through.
    expect(turns).toBeGreaterThan(2);
  });

  it.each([
    ["PNG", png(960, 320), 240, 80],
    ["PNG that is small", png(100, 40), 50, 20],
    ["PNG that is wide", png(2_000, 100), 240, 12],
    ["JPEG", jpg(600, 600), 80, 80],
  ])("is kept of a %s as its pixels only, small [completions.7.logo]", async (_, file, width, height) => {
    const hidden = Buffer.concat([file, Buffer.from("<script>alert(1)</script>")]);
    const logo = await readLogo(hidden);
    expect(logo).toMatchObject({ width, height });
    expect(logo.png.byteLength).toBeLessThanOrEqual(200_000);
    expect(Buffer.from(logo.png).includes("script")).toBe(false);
    const { data } = PNG.sync.read(Buffer.from(logo.png));
    expect([...data.subarray(0, 4)].map((byte) => Math.round(byte / 20))).toEqual([10, 1, 3, 13]);
  });

  it("is at most 200 KB even of noise, and keeps what is transparent [completions.7.logo]", async () => {
    const noise = await readLogo(png(1_000, 400, () => [...randomBytes(4)]));
    expect(noise.png.byteLength).toBeLessThanOrEqual(200_000);
    const glass = await readLogo(png(800, 200, (x) => [10, 20, 30, x < 400 ? 0 : 255]));
    const { data, width } = PNG.sync.read(Buffer.from(glass.png));
    expect([data[3], data[(width - 1) * 4 + 3]]).toEqual([0, 255]);
    expect([...data.subarray((width - 1) * 4, width * 4)]).toEqual([10, 20, 30, 255]);
  });
});
