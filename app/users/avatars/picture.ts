import pLimit from 'p-limit'
import limits from '#config/limits'
import { invalidPicture } from '#users/errors'

const SIDE = 512
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** Runs two decodings at the same time at most, because each holds a whole picture in memory. */
export const decoding = pLimit(2)

/** Enables three libvips decoders only, to limit attack surface. Loading it late saves memory. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
  })
  sharp.cache(false)
  return sharp
}

let library: ReturnType<typeof loadSharp> | undefined

/**
 * Encoding again drops metadata such as a location, and scripts that an attacker hid in the file.
 * @returns 512×512 WebP, cropped at the longer side or, with `contain`, with transparent edges
 * @throws a validation error for other contents than JPEG, PNG or WebP, or too many pixels
 */
export async function reencode(file: Buffer, fit: 'cover' | 'contain' = 'cover') {
  const sharp = await (library ??= loadSharp())
  try {
    return await sharp(file, { limitInputPixels: limits.picturePixels, failOn: 'error' })
      .timeout({ seconds: 5 })
      .autoOrient()
      .resize(SIDE, SIDE, { fit, background: TRANSPARENT })
      .webp({ quality: 82 })
      .toBuffer()
  } catch {
    throw invalidPicture()
  }
}
