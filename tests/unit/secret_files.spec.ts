import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { inEnglish } from '#i18n/sentences'
import { findOtherFiles } from '#setup/environment/misspelt_settings'
import { KEYRINGS } from '#setup/environment/secrets_file'
import { readSecretFiles, secretSettings } from '#setup/environment/secret_files'
import { temporaryFolder } from '#tests/support/temporary_folder'

const root = join(import.meta.dirname, '../..')
const secrets = secretSettings({})
const LIMIT = 64 * 1024

test.group('Secrets as files', (group) => {
  let folder: string
  group.each.setup(() => {
    folder = temporaryFolder('secrets')
    return () => rmSync(folder, { recursive: true })
  })

  function fileOf(content: string) {
    const file = join(folder, 'secret')
    writeFileSync(file, content)
    return file
  }

  function refusalOf(values: Record<string, string>) {
    try {
      readSecretFiles(values)
    } catch (error) {
      return error.help as string
    }
  }

  test('a file ending in {ending} gives its first line')
    .with([
      { ending: 'nothing', content: 'hunter2' },
      { ending: 'a line feed', content: 'hunter2\n' },
      { ending: 'CR LF', content: 'hunter2\r\n' },
    ])
    .run(({ assert }, { content }) => {
      const values = { SMTP_PASSWORD_FILE: fileOf(content), SMTP_PASSWORD: '' }
      readSecretFiles(values)
      assert.equal(values.SMTP_PASSWORD, 'hunter2')
    })

  test('one line break is taken off, spaces are kept', ({ assert }) => {
    const values = { SMTP_PASSWORD_FILE: fileOf(' two words \n\n'), SMTP_PASSWORD: '' }
    readSecretFiles(values)
    assert.equal(values.SMTP_PASSWORD, ' two words \n')
  })

  test('the secret of a named provider is read', ({ assert }) => {
    const file = fileOf('of-acme\n')
    const values: Record<string, string> = {
      OIDC_PROVIDERS: 'acme-staff',
      OIDC_ACME_STAFF_CLIENT_SECRET_FILE: file,
    }
    readSecretFiles(values)
    assert.equal(values.OIDC_ACME_STAFF_CLIENT_SECRET, 'of-acme')
  })

  test('a value beside its file is refused without the value', ({ assert }) => {
    const refusal = refusalOf({ APP_KEY: 'hunter2', APP_KEY_FILE: fileOf('other') })
    assert.include(refusal, 'APP_KEY_FILE and APP_KEY are both set')
    assert.notMatch(refusal!, /hunter2|other/)
  })

  test('a folder, an empty and a missing file are each named', ({ assert }) => {
    const refusal = refusalOf({
      APP_KEY_FILE: folder,
      DB_PASSWORD_FILE: fileOf('\n'),
      REDIS_URL_FILE: join(folder, 'missing'),
    })
    assert.include(refusal, `APP_KEY_FILE names ${folder}, which is no file`)
    assert.match(refusal!, /DB_PASSWORD_FILE names \S+, which is empty/)
    assert.match(refusal!, /REDIS_URL_FILE names \S+, which does not exist/)
  })

  test('a file of {size} bytes is {outcome}')
    .with([
      { size: LIMIT - 1, outcome: 'read' },
      { size: LIMIT, outcome: 'read' },
      { size: LIMIT + 1, outcome: 'refused' },
    ])
    .run(({ assert }, { size, outcome }) => {
      const refusal = refusalOf({ METRICS_TOKEN_FILE: fileOf('x'.repeat(size)) })
      assert.equal(refusal?.includes('larger than 64 KB') ?? false, outcome === 'refused')
    })

  test('a file for a setting that is no secret is named', ({ assert }) => {
    const settings = ['APP_URL', 'APP_KEY']
    const found = findOtherFiles({ APP_URL_FILE: 'a', APP_KEY_FILE: 'b' }, settings)
    const warnings = found.map(inEnglish)
    assert.deepEqual(warnings, [
      'APP_URL_FILE is no setting: only secrets are read from files. Set APP_URL',
    ])
  })

  test('each setting with the name of a secret may be a file', ({ assert }) => {
    const env = readFileSync(join(root, 'start/env.ts'), 'utf8')
    const names = [...env.matchAll(/^ {2}(\w+(?:PASSWORD|SECRETS?|TOKEN|KEYS)):/gm)]
    assert.isAbove(names.length, 6)
    const missing = names.map(([, name]) => name).filter((name) => !secrets.includes(name))
    assert.deepEqual(missing, [])
  })

  test('the document names each secret', ({ assert }) => {
    const text = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    const [, section] = /### Secrets as files\n([\s\S]+?)\n## /.exec(text)!
    const listed = secrets.filter(
      (name) => !KEYRINGS.includes(name) && !name.endsWith('_CLIENT_SECRET')
    )
    const missing = listed.filter((name) => !section.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })
})
