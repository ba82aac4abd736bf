import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { Readable, pipeline } from 'node:stream'
import limits from '#config/limits'
import { OtherFormat, UnusableBackup } from '#backup/errors'
import { decompress } from './decompress.ts'
import { assertOrder, FORMAT, MANIFEST, type Manifest, type ManifestEntry } from './manifest.ts'
import { parseManifest } from './parse_manifest.ts'
import { openSource } from './source.ts'
import type { Chunks, Decryption } from './age.ts'

export interface ReadEntry extends ManifestEntry {
  /** Throws at its end if the content is not what the manifest says. */
  content: Chunks
}

export interface Archive {
  manifest: Manifest
  /** The entries in their order; each must be read to its end. */
  entries: AsyncGenerator<ReadEntry>
}

type TarEntry = AsyncIterable<Uint8Array> & { header: { name: string; type: string; size: number } }

const CUT_OFF = 'The backup was cut off: its end is missing.'

/** @throws UnusableBackup at any step, and errors of the file system */
export async function readArchive(path: string, opening: Decryption): Promise<Archive> {
  const tar = await untar(decompress(await openSource(path, opening)))
  const first = await next(tar)
  if (first?.header.name !== MANIFEST || first.header.size > limits.backupManifestBytes)
    throw new UnusableBackup('The file is no backup of Gatehouse: it begins without a manifest.')
  assertFile(first)
  const text = await read(buffer(first as Chunks))
  const manifest = parseManifest(text.toString())
  assertReadable(manifest)
  assertOrder(manifest)
  return { manifest, entries: entriesOf(tar, manifest) }
}

async function untar(content: Chunks): Promise<AsyncIterator<TarEntry>> {
  const { extract } = await import('tar-stream')
  const tar = extract()
  // The iterator throws the error; without a listener the process would end.
  pipeline(Readable.from(content), tar, () => {})
  return (tar as unknown as AsyncIterable<TarEntry>)[Symbol.asyncIterator]()
}

async function next(tar: AsyncIterator<TarEntry>) {
  const { value, done } = await read(tar.next())
  return done ? null : (value as TarEntry)
}

/** Turns an error of tar about a broken archive into one sentence for operators. */
async function read<Result>(reading: Promise<Result>) {
  try {
    return await reading
  } catch (error) {
    throw isOfTar(error) ? new UnusableBackup(CUT_OFF) : error
  }
}

function isOfTar(error: Error) {
  return /^(Unexpected end of data|Invalid|Header|Writable stream closed|Stream was)/.test(
    error.message
  )
}

function assertReadable({ format, version }: Manifest) {
  if (format === FORMAT) return
  const which = format > FORMAT ? 'newer' : 'another one'
  throw new OtherFormat(`The backup was made by Gatehouse ${version}, whose format is ${which}.`)
}

function assertFile({ header }: TarEntry) {
  if (header.type === 'file') return
  throw new UnusableBackup(`The backup has a ${header.type} in it, which no backup has.`)
}

async function* entriesOf(tar: AsyncIterator<TarEntry>, { entries }: Manifest) {
  for (const expected of entries) {
    const entry = await next(tar)
    if (!entry) throw new UnusableBackup(CUT_OFF)
    assertFile(entry)
    const { name, size } = entry.header
    if (name !== expected.name || size !== expected.bytes) throw other(name)
    yield { ...expected, content: verified(entry, expected) }
  }
  const more = await next(tar)
  if (more) throw other(more.header.name)
}

function other(name: string) {
  const shown = JSON.stringify(name.slice(0, 60))
  return new UnusableBackup(`The backup is not what its manifest says: see ${shown}.`)
}

async function* verified(entry: TarEntry, { name, sha256 }: ManifestEntry): Chunks {
  const hash = createHash('sha256')
  const chunks = entry[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await read(chunks.next())
    if (done) break
    hash.update(value)
    yield value
  }
  if (hash.digest('hex') !== sha256) throw other(name)
}
