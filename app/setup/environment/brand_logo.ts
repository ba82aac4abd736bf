import { closeSync, openSync, readSync } from 'node:fs'
import { invalidEnvironment } from './invalid_environment.ts'

export interface Logo {
  type: string
  extension: string
  content: Buffer
}

const MAX_BYTES = 256 * 1024

/** The content determines the type, because a file name does not prove it. */
const SIGNATURES: [extension: string, type: string, pattern: RegExp][] = [
  ['png', 'image/png', /^\x89PNG\r\n/],
  ['jpg', 'image/jpeg', /^\xff\xd8\xff/],
  ['webp', 'image/webp', /^RIFF.{4}WEBP/s],
  ['svg', 'image/svg+xml', /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<svg[\s>]/s],
]

/** @throws E_INVALID_ENV_VARIABLES */
export function readLogo(path: string | undefined): Logo | null {
  if (!path) return null
  const content = readBounded(path)
  const start = content.subarray(0, 1_024).toString('latin1')
  const known = SIGNATURES.find(([, , pattern]) => pattern.test(start))
  if (!known) throw refused('must be a PNG, JPEG, WebP or SVG picture')
  const [extension, type] = known
  return { type, extension, content }
}

function readBounded(path: string) {
  const buffer = Buffer.alloc(MAX_BYTES + 1)
  const length = readStart(path, buffer)
  if (length > MAX_BYTES) throw refused('must be a picture of at most 256 KB')
  return buffer.subarray(0, length)
}

function readStart(path: string, buffer: Buffer) {
  try {
    const file = openSync(path, 'r')
    const length = readSync(file, buffer)
    closeSync(file)
    return length
  } catch (error) {
    throw refused(`cannot be read (${error.code})`)
  }
}

function refused(reason: string) {
  return invalidEnvironment([`BRAND_LOGO ${reason}`])
}
