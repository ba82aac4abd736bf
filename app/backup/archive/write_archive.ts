import { once } from 'node:events'
import { pipeline, Readable, type Writable } from 'node:stream'
import { constants, createZstdCompress } from 'node:zlib'
import { encrypt, type Chunks, type Encryption } from './age.ts'

export interface WrittenEntry {
  name: string
  bytes: number
  content: Chunks
}

interface Options {
  createdAt: Date
  encryption: Encryption | null
}

/** Returns the bytes of the archive: tar in zstd, and in age if it is encrypted. */
export function writeArchive(entries: AsyncIterable<WrittenEntry>, options: Options): Chunks {
  const compressed = compress(pack(entries, options.createdAt))
  return options.encryption ? encrypt(compressed, options.encryption) : compressed
}

async function* pack(entries: AsyncIterable<WrittenEntry>, mtime: Date): Chunks {
  const { pack: open } = await import('tar-stream')
  const tar = open()
  const filling = fill(tar, entries, mtime).catch((error) => tar.destroy(error))
  for await (const chunk of tar) yield chunk as Uint8Array
  await filling
}

type Pack = ReturnType<typeof import('tar-stream').pack>

/** An entry whose length differs from its header ends the archive with an error. */
async function fill(tar: Pack, entries: AsyncIterable<WrittenEntry>, mtime: Date) {
  for await (const { name, bytes, content } of entries) {
    const written = Promise.withResolvers<void>()
    const entry = tar.entry({ name, size: bytes, mode: 0o600, mtime }, (error) =>
      error ? written.reject(error) : written.resolve()
    ) as unknown as Writable
    await copy(content, entry)
    entry.end()
    await written.promise
  }
  tar.finalize()
}

async function copy(content: Chunks, entry: Writable) {
  for await (const chunk of content) {
    if (!entry.write(chunk)) await once(entry, 'drain')
  }
}

async function* compress(source: Chunks): Chunks {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  const packed = createZstdCompress({ params })
  // The loop throws the error; without a listener the process would end.
  pipeline(Readable.from(source), packed, () => {})
  yield* packed as Chunks
}
