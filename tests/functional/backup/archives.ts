import { hash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress, zstdDecompressSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { extract, pack, type Header } from 'tar-stream'
import { temporaryFolder } from '#tests/support/temporary_folder'
import type { Manifest } from '#backup/archive/manifest'

/* Archives as an attacker or an accident leaves them behind. */

export class Folder {
  readonly path = temporaryFolder('backup')

  file(name: string, content?: Uint8Array) {
    const path = join(this.path, name)
    if (content) writeFileSync(path, content)
    return path
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export async function newIdentity() {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

export interface TarEntry {
  header: Partial<Header> & { name: string }
  content: Buffer
}

/** Returns the entries of an archive without encryption. */
export async function unpack(path: string): Promise<TarEntry[]> {
  const tar = extract()
  tar.end(zstdDecompressSync(readFileSync(path)))
  const entries: TarEntry[] = []
  for await (const entry of tar) {
    entries.push({ header: entry.header, content: await buffer(entry) })
  }
  return entries
}

export async function repack(entries: TarEntry[]) {
  const tar = pack()
  for (const { header, content } of entries) {
    tar.entry({ ...header, size: content.length }, content)
  }
  tar.finalize()
  return compressed(await buffer(tar))
}

export async function compressed(content: Uint8Array) {
  const zstd = createZstdCompress()
  zstd.end(content)
  return buffer(zstd)
}

/** Writes the same archive with another manifest. */
export async function withManifest(path: string, change: (manifest: Manifest) => void) {
  const [first, ...entries] = await unpack(path)
  const manifest = JSON.parse(first.content.toString())
  change(manifest)
  return repack([{ ...first, content: Buffer.from(JSON.stringify(manifest)) }, ...entries])
}

/** Writes an archive with other contents and a manifest that describes them correctly. */
export async function pretend(entries: TarEntry[], change: (manifest: Manifest) => void) {
  const [first, ...others] = entries
  const manifest: Manifest = JSON.parse(first.content.toString())
  manifest.entries = others.map(({ header, content }) => describe(header.name, content))
  change(manifest)
  return repack([{ ...first, content: Buffer.from(JSON.stringify(manifest)) }, ...others])
}

function describe(name: string, content: Buffer) {
  const rows = content.toString().split('\n').length - 1
  return { name, bytes: content.length, rows, sha256: hash('sha256', content, 'hex') }
}
