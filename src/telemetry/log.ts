import pino, { type DestinationStream } from "pino";

/** An email address that has a domain of the internet; what JSON has escaped before it is no part of it. */
const ADDRESS = /(?<!\\(?:u[\da-f]{0,3})?)[^\s"\\<>()[\],;:@]{1,64}(?:@|%40)(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{N}-]+/gu;

/** The service's log: JSON lines without email addresses, which mail servers, ERPs and databases repeat in what they say. */
export const serviceLog = (level: string, stream: DestinationStream) =>
  pino({ level, hooks: { streamWrite: (line) => line.replace(ADDRESS, "[email]") } }, stream);
