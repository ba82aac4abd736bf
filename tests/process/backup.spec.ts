import { execFileSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { findOrInstall } from '#tests/support/debian'
import { newIdentity } from '../functional/backup/archives.ts'
import { CommandProcess } from './command_process.ts'
import { Installation } from './installation.ts'

/* The commands that operators type, on a built product while it serves. */

test.group('Backup | commands', (group) => {
  let installation: Installation
  let commands: CommandProcess
  group.setup(async () => {
    installation = await Installation.start(null)
    commands = new CommandProcess(installation.dataDir, installation.settings)
    return async () => {
      await commands.stop()
      return installation.remove()
    }
  })
  group.tap((each) => each.timeout(120_000))

  const inFolder = (name: string) => join(installation.dataDir, name)

  async function backup(recipient: string, name = 'backup.age') {
    const args = ['backup:create', `--recipient=${recipient}`, `--output=${inFolder(name)}`]
    const { json } = await installation.succeed([...args, '--json'])
    return json()
  }

  test('age and tar of Debian open a backup', async ({ assert }) => {
    const { identity, recipient } = await newIdentity()
    const { file } = await backup(recipient)
    writeFileSync(inFolder('key.txt'), `# a comment\n${identity}\n`)
    const key = inFolder('key.txt')
    const opened = execFileSync(findOrInstall('age', 'age'), ['-d', '-i', key, file])
    const [unzstd, tar] = [findOrInstall('zstd', 'zstd'), findOrInstall('tar', 'tar')]
    const unpacked = execFileSync(unzstd, ['-dc'], { input: opened })
    const names = execFileSync(tar, ['-tf', '-'], { input: unpacked, encoding: 'utf8' }).split('\n')
    assert.includeMembers(names, ['manifest.json', 'keyrings.json', 'tables/users.ndjson'])
    const users = execFileSync(tar, ['-xOf', '-', 'tables/users.ndjson'], { input: unpacked })
    assert.include(users.toString(), 'ada@')
    const verified = await installation.succeed([
      'backup:verify',
      file,
      `--identity=${key}`,
      '--json',
    ])
    assert.containsSubset(verified.json(), { encrypted: true, users: 1, admins: 1 })
  })

  test('a file is whole, for its owner alone and in the trail', async ({ assert }) => {
    const { recipient } = await newIdentity()
    const before = readdirSync(installation.dataDir)
    const { file, encrypted } = await backup(recipient, 'whole.age')
    assert.isTrue(encrypted)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const added = readdirSync(installation.dataDir).filter((name) => !before.includes(name))
    assert.deepEqual(added, ['whole.age'])
    const { json } = await commands.succeed(['audit:list', '--json', '--limit=1'])
    assert.equal(json()[0].action, 'backup.created')
  })

  test('standard output takes a backup that a passphrase opens', async ({ assert }) => {
    const stdin = 'correct horse battery staple'
    const create = ['backup:create', '--passphrase', '--output=-']
    const path = inFolder('piped.age')
    const { stderr, bytes } = await installation.pipe(create, { stdin, path })
    assert.deepEqual([stderr, statSync(path).size], ['', bytes])
    const verified = await installation.run(['backup:verify', path], { stdin })
    assert.deepEqual([verified.code, verified.stderr], [0, 'The backup is whole.\n'])
    const wrong = await installation.run(['backup:verify', path], { stdin: 'wrong' })
    assert.equal(wrong.stderr, 'This passphrase does not open the backup.\n')
    assert.equal(wrong.code, 1)
  })

  test('without encryption a backup says what it lacks', async ({ assert }) => {
    const { stderr } = await commands.succeed(['backup:create', '--output', inFolder('plain')])
    assert.match(stderr, /^Without encryption the backup has no secrets/)
  })

  test('a file is refused that {reason}, before the backup')
    .with([
      { reason: 'is a folder', name: '' },
      { reason: 'has no such folder', name: 'missing/backup.age' },
      { reason: 'is no regular file', name: 'pipe' },
    ])
    .run(async ({ assert }, { reason, name }) => {
      const path = inFolder(name)
      if (name === 'pipe') execFileSync('mkfifo', [path])
      const before = readdirSync(installation.dataDir)
      const { code, stderr } = await commands.run(['backup:create', `--output=${path}`])
      assert.equal(code, 2, stderr)
      assert.match(stderr, /^--output: [^\n]+\n$/)
      assert.include(stderr, `${path} ${reason}`)
      assert.deepEqual(readdirSync(installation.dataDir), before)
      if (name === 'pipe') assert.isTrue(statSync(path).isFIFO())
    })

  test('a name of {0} bytes is written')
    .with([[254], [255]] as const)
    .run(async ({ assert }, [bytes]) => {
      const name = 'ä'.repeat(127).padEnd(bytes - 127, 'a')
      assert.equal(Buffer.byteLength(name), bytes)
      await commands.succeed(['backup:create', `--output=${inFolder(name)}`])
      assert.isTrue(statSync(inFolder(name)).isFile())
    })

  test('{0} is a wrong use')
    .with([
      ['backup:create', '--recipient=age1wrong'],
      ['backup:create', '--recipient=age1wrong', '--passphrase'],
      ['backup:create', `--output=${'a'.repeat(256)}`],
      ['backup:verify', 'missing.age'],
      ['backup:verify'],
    ])
    .run(async ({ assert }, args) => {
      const { code, stderr } = await commands.run(args)
      assert.equal(code, 2, stderr)
    })
})
