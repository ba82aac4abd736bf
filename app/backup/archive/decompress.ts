import { pipeline, Readable } from 'node:stream'
import { constants, createZstdDecompress } from 'node:zlib'
import limits from '#config/limits'
import { UnusableBackup } from '#backup/errors'
import type { Chunks } from './age.ts'
import type { Source } from './source.ts'

/** 8 MB: a hostile frame could claim more memory. Our own frames take 2 MB. */
const WINDOW_LOG = 23

const CHANGED = 'The backup was changed or cut off: it does not unpack to its end.'
const BOMB = 'The backup unpacks to far more than a backup can hold.'

/** @throws UnusableBackup */
export async function* decompress({ content, bytesRead }: Source): Chunks {
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG }
  const unpacked = createZstdDecompress({ params })
  // The loop throws the error; without a listener the process would end.
  pipeline(Readable.from(content), unpacked, () => {})
  let bytes = 0
  try {
    for await (const chunk of unpacked as Chunks) {
      bytes += chunk.length
      assertNoBomb(bytes, bytesRead())
      yield chunk
    }
  } catch (error) {
    throw isZstd(error) ? new UnusableBackup(CHANGED) : error
  }
}

function assertNoBomb(bytes: number, packed: number) {
  const most = limits.backupUnpackedBytes + packed * limits.backupUnpackedTimes
  if (bytes > most) throw new UnusableBackup(BOMB)
}

function isZstd({ code = '' }: NodeJS.ErrnoException) {
  return /^(ZSTD|Z)_/.test(code)
}
