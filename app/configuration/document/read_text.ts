import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by the user of this process',
  EISDIR: 'is a folder',
}

/** The message says what is wrong with a file, and is shown after its name. */
export class UnreadableText extends Error {}

/** @throws UnreadableText */
export async function readText(path: string, maxBytes: number) {
  const bytes = await readBytes(path, maxBytes).catch((error) => {
    if (error instanceof UnreadableText) throw error
    throw new UnreadableText(REASONS[error.code] ?? `cannot be read (${error.code})`)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableText('is not UTF-8 text')
  }
}

/** Refuses devices and pipes, which would never end. */
async function readBytes(path: string, maxBytes: number) {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return await readWithin(file, maxBytes)
  } finally {
    await file.close()
  }
}

async function readWithin(file: FileHandle, maxBytes: number) {
  const stats = await file.stat()
  if (stats.isDirectory()) throw new UnreadableText('is a folder')
  if (!stats.isFile()) throw new UnreadableText('is no regular file')
  const buffer = Buffer.alloc(Math.min(stats.size, maxBytes) + 1)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
  if (bytesRead > maxBytes) throw new UnreadableText(`is larger than ${sizeOf(maxBytes)}`)
  return buffer.subarray(0, bytesRead)
}

function sizeOf(bytes: number) {
  return bytes < 1_048_576 ? `${bytes / 1_024} KB` : `${bytes / 1_048_576} MB`
}

/** Far more than a secret needs, so that the path of a log is refused. */
const SECRET_BYTES = 4_096

/** Editors end a file with a line break, which is no part of the secret. @throws UnreadableText */
export async function readSecretText(path: string) {
  const text = await readText(path, SECRET_BYTES)
  return text.replace(/\r?\n$/, '')
}
