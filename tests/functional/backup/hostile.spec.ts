import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress } from 'node:zlib'
import { test } from '@japa/runner'
import { createBackup } from '#backup/create'
import type { Decryption } from '#backup/archive/age'
import { UnusableBackup } from '#backup/errors'
import { verifyBackup } from '#backup/verify'
import { provedOn } from '#tests/support/proved_on'
import { Folder, newIdentity, repack, unpack, withManifest, type TarEntry } from './archives.ts'

provedOn('sqlite', 'An archive is judged as a file, whichever database it was made from.')

type Change = (path: string) => Promise<Uint8Array> | Uint8Array

const half = (path: string) => {
  const content = readFileSync(path)
  return content.subarray(0, content.length / 2)
}

const flipped = (path: string) => {
  const content = Buffer.from(readFileSync(path))
  content[Math.floor(content.length * 0.7)] ^= 1
  return content
}

/** Adds another entry at the end of the archive. */
const withEntry =
  (header: TarEntry['header'], content = Buffer.from('x')): Change =>
  async (path) =>
    repack([...(await unpack(path)), { header, content }])

const bomb: Change = async () => {
  const zstd = createZstdCompress()
  const packed = buffer(zstd)
  const zeros = Buffer.alloc(16 * 1024 * 1024)
  for (let mb = 0; mb < 512; mb += 16) zstd.write(zeros)
  zstd.end()
  return packed
}

const ENCRYPTED: Record<string, Change> = {
  'half of it': half,
  'a changed byte': flipped,
}

const PLAIN: Record<string, Change> = {
  'half of it': half,
  'a changed byte': flipped,
  'nothing': () => new Uint8Array(),
  'another file': () => Buffer.from('SQLite format 3'),
  'gigabytes of zeros': bomb,
  'an entry that leads out of the folder': withEntry({ name: '../../etc/cron.d/x' }),
  'a link': withEntry(
    { name: 'texts/en/a.json', type: 'symlink', linkname: '/etc/passwd' },
    Buffer.alloc(0)
  ),
  'a name twice': (path) => withManifest(path, ({ entries }) => void entries.push(entries.at(-1)!)),
  'another hash': (path) =>
    withManifest(path, ({ entries }) => void (entries[1].sha256 = 'a'.repeat(64))),
  'more rows than there are': (path) =>
    withManifest(path, ({ entries }) => void entries[1].rows!++),
  'a name that leads out of the folder': (path) =>
    withManifest(path, ({ entries }) => void (entries[0].name = '../users.ndjson')),
  'a manifest without entries': (path) =>
    withManifest(path, (manifest) => void (manifest.entries = [])),
  'a version that moves the cursor': (path) =>
    withManifest(path, (manifest) => void (manifest.version = '\u001B[2J')),
  'a time with words in it': (path) =>
    withManifest(path, (manifest) => void (manifest.createdAt = 'Jan 1 2020 (\u001B[2J)')),
  'a newer format': (path) => withManifest(path, (manifest) => void manifest.format++),
  'a manifest at its end': async (path) => {
    const [manifest, ...entries] = await unpack(path)
    return repack([...entries, manifest])
  },
}

test.group('Backup | hostile archives', (group) => {
  let [folder, identity]: [Folder, string] = [new Folder(), '']
  group.setup(async () => {
    const key = await newIdentity()
    identity = key.identity
    await createBackup({ output: folder.file('plain') })
    await createBackup({ output: folder.file('encrypted'), recipients: [key.recipient] })
    return () => folder.remove()
  })
  group.tap((each) => each.timeout(60_000))

  /** Returns the error that refuses the changed archive, or null. */
  async function refusalOf(name: string, change: Change, opening: Decryption) {
    const path = folder.file('changed', await change(folder.file(name)))
    return verifyBackup(path, opening).then(
      () => null,
      (error) => error
    )
  }

  test('{0} of an encrypted archive is refused')
    .with(Object.entries(ENCRYPTED))
    .run(async ({ assert }, [, change]) => {
      const refusal = await refusalOf('encrypted', change, { identities: [identity] })
      assert.instanceOf(refusal, UnusableBackup)
    })

  test('{0} instead of an archive is refused')
    .with(Object.entries(PLAIN))
    .run(async ({ assert }, [, change]) => {
      const refusal = await refusalOf('plain', change, {})
      assert.instanceOf(refusal, UnusableBackup, String(refusal?.stack))
      assert.match(refusal.message, /^[A-Z][^\n]{20,120}\.$/)
    })
})
