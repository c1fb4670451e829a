import { z } from "zod";
import { MAX_PICTURE_BYTES, type PictureProblem, PictureRefused, readLogo } from "../../../gateways/images/index.ts";
import { costlyWork } from "../../gate/costly-work.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { changeMailSettings } from "../settings-queries.ts";

/** Decoding an image takes a thread and up to 200 MB. */
const inTurn = costlyWork({
  ...{ concurrency: 1, waitingOfSource: 1, sources: 20 },
  tooMuch: "Other pictures are being read. Try again in a moment.",
  retryAfterSeconds: 10,
});

const PROBLEMS: Readonly<Record<PictureProblem, string>> = {
  type: "must be a PNG or JPEG file",
  size: "must have at most 2 MB, and 4000 pixels on a side",
  damaged: "cannot be read: save it again as PNG",
};

/** A logo as stored: its size in pixels, and in bytes. */
const LogoSchema = z.strictObject({ width: z.int(), height: z.int(), bytes: z.int() });

/**
 * Sets the logo at the head of mails to customers. Only its pixels are kept, re-encoded and scaled down. Throws
 * `validation_failed` for a file that cannot be used.
 */
export const setMailLogo = operation({
  id: "setMailLogo",
  summary: "Set the logo of mails to customers",
  ...SETTINGS_CHANGE,
  sideEffects: "Mails to customers have it from now on.",
  input: z.strictObject({
    file: z.instanceof(Uint8Array).refine((file) => file.byteLength <= MAX_PICTURE_BYTES, PROBLEMS.size),
  }),
  output: LogoSchema,
  async prepare({ actor }, { file }) {
    try {
      return await inTurn(actor.tenantId, () => readLogo(file));
    } catch (error) {
      if (error instanceof PictureRefused)
        throw validationFailed([{ field: "file", message: PROBLEMS[error.problem] }]);
      throw error;
    }
  },
  async run(context, _, { png, width, height }) {
    await changeMailSettings(context, { logo: png, logo_width: width, logo_height: height });
    return { width, height, bytes: png.byteLength };
  },
});

/** Removes the logo; mails show the workspace's name instead. */
export const removeMailLogo = operation({
  id: "removeMailLogo",
  summary: "Take the logo of mails away",
  ...SETTINGS_CHANGE,
  sideEffects: "Mails to customers have the workspace's name in its place.",
  input: z.strictObject({}),
  output: z.strictObject({}),
  async run(context) {
    await changeMailSettings(context, { logo: null, logo_width: null, logo_height: null });
    return {};
  },
});
