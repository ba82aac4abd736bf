import pLimit from 'p-limit'
import limits from '#config/limits'
import { invalidPicture } from '#users/errors'

/** Width and height of a stored picture. */
const SIDE = 512

/** At most two at once, because decoding holds a whole picture in memory. */
export const decoding = pLimit(2)

/**
 * Loads sharp with the first upload, because most processes never need it. Only three
 * decoders are enabled: the others of libvips are attack surface.
 */
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
 * Decodes a picture and encodes it again, so that only pixels are stored: no metadata such
 * as a location, and no script or archive that an attacker hid in the file.
 *
 * @returns 512×512 WebP
 * @throws a validation error for a file that is no JPEG, PNG or WebP by its content, or has too many pixels
 */
export async function reencode(file: Buffer): Promise<Buffer> {
  const sharp = await (library ??= loadSharp())
  try {
    return await sharp(file, { limitInputPixels: limits.picturePixels, failOn: 'error' })
      .timeout({ seconds: 5 })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer()
  } catch {
    throw invalidPicture()
  }
}
