import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { UnusableBackup } from '#backup/errors'
import { decrypt, type Chunks, type Decryption } from './age.ts'

export type Protection = 'passphrase' | 'identity' | 'none'

const AGE = 'age-encryption.org/v1\n'
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const OTHER = 'The file is no backup of Gatehouse: it is neither encrypted by age nor by zstd.'

/** Tells from the first bytes how to open a file. @throws UnusableBackup, or file system errors */
export async function protectionOf(path: string): Promise<Protection> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return protectionBy(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function protectionBy(start: Buffer): Protection {
  if (start.subarray(0, 4).equals(ZSTD)) return 'none'
  const text = start.toString('latin1')
  if (!text.startsWith(AGE)) throw new UnusableBackup(OTHER)
  return text.startsWith(`${AGE}-> scrypt `) ? 'passphrase' : 'identity'
}

export interface Source {
  content: Chunks
  /** Returns the number of bytes of the file that were read. */
  bytesRead: () => number
}

export async function openSource(path: string, opening: Decryption): Promise<Source> {
  const isPlain = (await protectionOf(path)) === 'none'
  const file = createReadStream(path)
  const content: Chunks = isPlain ? file : decrypt(file, opening)
  return { content, bytesRead: () => file.bytesRead }
}
