import type { RequestHandler } from "express";
import { published } from "./published.ts";

interface Icon {
  readonly svg: string;
  /** 48 by 48 pixels. */
  readonly png: Buffer;
}

const SIDE = 48;

/** The icon where browsers, registries and directories look for one. */
export function icons({ svg, png }: Icon, paths: { svg: string; png: string }): RequestHandler[] {
  const files = [
    { path: "/favicon.ico", type: "image/x-icon", body: icoOf(png) },
    { path: paths.svg, type: "image/svg+xml", body: Buffer.from(svg) },
    { path: paths.png, type: "image/png", body: png },
  ];
  return files.map(({ path, type, body }) => published(path, type, 86_400, () => body));
}

/** A PNG in the container of .ico files: a directory of one entry. */
function icoOf(png: Buffer) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(SIDE, 6);
  head.writeUInt8(SIDE, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.byteLength, 18);
  return Buffer.concat([head, png]);
}
