import pLimit from 'p-limit'
import limits from '#config/limits'
import { invalidPicture } from '#users/errors'

const SIDE = 512
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** At most two at once, because decoding holds a whole picture in memory. */
export const decoding = pLimit(2)

/** Three decoders of libvips are enabled, because the others are attack surface. Loading late saves memory. */
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
 * @returns 512×512 WebP, cut off at the longer side or, by `contain`, with transparent edges
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
