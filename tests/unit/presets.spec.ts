import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import { test } from '@japa/runner'
import { withDefaults } from '#oidc/clients/client_fields'
import { likelyPresets } from '#oidc/presets/likely_presets'
import { findPreset, readPresets } from '#oidc/presets/preset'
import { quote, type Format } from '#oidc/presets/quoting'
import { registrationOf, withPreset } from '#oidc/presets/registration'
import { settingsToCopy } from '#oidc/presets/settings_to_copy'
import { presetPages } from '#tests/preset_pages/pages'
import type { ClientSettings, OAuthClient } from '#oidc/clients/client'

const HOSTILE = `a'$(id)'\`id\`;#{1}%{2}$&"\\b \${c}`
const ISSUER = 'https://auth.example.org'

function clientWith(settings: Partial<ClientSettings>): OAuthClient {
  const previous = { previousSecretHash: null, previousSecretUntil: null }
  const secrets = { secretHash: 'hash', secretDigest: null, ...previous }
  const ids = {
    id: 'id',
    allowedGroupIds: [],
    deletedGroupIds: [],
    logo: null,
    clientId: '5f0c2a9d41be7730c8e1d6f2',
  }
  const times = { createdAt: 0, updatedAt: 0 }
  return { ...withDefaults({ name: 'Wiki', ...settings }), ...ids, ...secrets, ...times }
}

async function textsFor(id: string, secret: string | null, settings: Partial<ClientSettings> = {}) {
  const preset = (await findPreset(id))!
  const client = clientWith({ ...registrationOf(preset), ...settings })
  return settingsToCopy(preset, { client, secret, issuer: ISSUER, title: 'Acme' })
}

async function idsFor(settings: Partial<ClientSettings>) {
  const presets = await likelyPresets(clientWith(settings))
  return presets.map(({ id }) => id)
}

const DOCUMENTS = join(import.meta.dirname, '../../docs/sign-in')

test.group('Presets', () => {
  test('their pages are what the data says', async ({ assert }) => {
    const pages = await presetPages()
    assert.deepEqual(readdirSync(DOCUMENTS).sort(), [...pages.keys()].sort())
    for (const [name, text] of pages) {
      assert.equal(
        readFileSync(join(DOCUMENTS, name), 'utf8'),
        text,
        `npm run preset-pages: ${name}`
      )
    }
  })

  test('each has a registration, a text and a source', async ({ assert }) => {
    for (const preset of await readPresets()) {
      const { redirectUris } = registrationOf(preset)
      assert.notInclude(redirectUris.join(' '), '@', preset.id)
      assert.match(preset.page, /^https:\/\//)
      const texts = await textsFor(preset.id, 'ghs_secret')
      const whole = JSON.stringify(texts)
      assert.notMatch(whole, /@\w+@|undefined/, preset.id)
      assert.equal(whole.includes('ghs_secret'), preset.auth !== 'none', preset.id)
    }
  })

  test('fill in the address without its end', async ({ assert }) => {
    const grafana = (await findPreset('grafana'))!
    for (const url of ['https://acme.test/graf', ' https://acme.test/graf/?a=1#b ']) {
      const { redirectUris } = registrationOf(grafana, url)
      assert.deepEqual(redirectUris, ['https://acme.test/graf/login/generic_oauth'])
    }
  })

  test('give way to settings that are given', async ({ assert }) => {
    const given = { preset: 'gitlab', name: 'Code', redirectUris: ['https://acme.test/cb'] }
    const { settings, preset } = await withPreset(given)
    assert.containsSubset(settings, { name: 'Code', redirectUris: ['https://acme.test/cb'] })
    assert.equal(preset!.id, 'gitlab')
    const alone = await withPreset({ name: 'Code' })
    assert.deepEqual(alone, { preset: null, settings: { name: 'Code' } })
    await assert.rejects(() => withPreset({ preset: 'react', url: 'https://acme.test' }))
  })

  test('refuse {$self}')
    .with(['javascript:alert(1)', '', 'acme.test', 'https://'])
    .run(async ({ assert }, url) => {
      await assert.rejects(() => withPreset({ preset: 'grafana', url }))
    })

  test('are found by the path and the name of a client', async ({ assert }) => {
    const grafana = 'https://acme.test/grafana/login/generic_oauth'
    assert.deepEqual(await idsFor({ redirectUris: [grafana] }), ['grafana'])
    const nowhere = { redirectUris: ['https://acme.test'] }
    assert.deepEqual(await idsFor(nowhere), [])
    assert.deepEqual(await idsFor({ ...nowhere, name: 'Portainer 2' }), ['portainer'])
    const app = { tokenEndpointAuthMethod: 'none' as const, redirectUris: ['com.acme:/cb'] }
    assert.deepEqual(await idsFor(app), ['native'])
  })
})

test.group('Presets | texts to copy', () => {
  test('name a secret that was shown before', async ({ assert }) => {
    const [{ text }] = await textsFor('grafana', null)
    assert.include(text, 'client_secret = CLIENT_SECRET\n')
  })

  test('send the secret as the client is registered', async ({ assert }) => {
    const posting = { tokenEndpointAuthMethod: 'client_secret_post' } as const
    const [inHeader] = await textsFor('grafana', null)
    const [inBody] = await textsFor('grafana', null, posting)
    const [ofGitlab] = await textsFor('gitlab', null, posting)
    assert.include(inHeader.text, 'auth_style = InHeader')
    assert.include(inBody.text, 'auth_style = InParams')
    assert.include(ofGitlab.text, "client_auth_method: 'query'")
  })

  test('ask for no scope that the client lacks', async ({ assert }) => {
    const [{ text }] = await textsFor('grafana', null, { scopes: ['openid', 'users:read'] })
    assert.include(text, 'scopes = openid\n')
  })

  test('are empty for clients without a sign-in', async ({ assert }) => {
    const machine = { grantTypes: ['client_credentials' as const] }
    assert.deepEqual(await textsFor('grafana', null, machine), [])
    assert.deepEqual(await textsFor('grafana', null, { redirectUris: [] }), [])
  })

  test('for {$self} are YAML that holds any secret')
    .with(['synapse', 'headscale'])
    .run(async ({ assert }, id) => {
      const [{ text }] = await textsFor(id, HOSTILE)
      const { oidc, oidc_providers: providers } = parse(text!)
      assert.equal((oidc ?? providers[0]).client_secret, HOSTILE)
    })

  test('for Vault are JSON that holds any secret', async ({ assert }) => {
    const [{ text }] = await textsFor('vault', HOSTILE)
    const [, body] = text!.match(/config - <<'EOF'\n(.*?)\nEOF/s)!
    assert.equal(JSON.parse(body).oidc_client_secret, HOSTILE)
  })

  test('for Gitea are words of a shell', async ({ assert }) => {
    const [{ text }] = await textsFor('gitea', HOSTILE)
    const script = `gitea() { printf '%s\\n' "$@"; }\n${text}`
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n')
    assert.includeMembers(words, [
      'add-oauth',
      HOSTILE,
      `${ISSUER}/.well-known/openid-configuration`,
    ])
  })

  test('leave out a value that they cannot hold', async ({ assert }) => {
    const [{ text, missing }] = await textsFor('dex', 'x$HOME')
    assert.include(text, 'clientSecret: "CLIENT_SECRET"')
    assert.deepEqual(missing, ['CLIENT_SECRET'])
  })
})

const UNHOLDABLE = [
  ['ini', 'a`b'],
  ['ini', 'a%(b)s'],
  ['ini', '$__env{PATH}'],
  ['apache', '${PATH}'],
  ['plain_env', "a'b"],
  ['fields', 'a\nb'],
] as const

test.group('Presets | quoting', () => {
  test('a shell reads back what was quoted', ({ assert }) => {
    const script = `printf %s ${quote(HOSTILE, 'shell')}`
    assert.equal(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), HOSTILE)
  })

  test('{$self} reads back what was quoted')
    .with(['json', 'yaml', 'javascript'])
    .run(({ assert }, format) => {
      const quoted = quote(HOSTILE, format as Format)!
      assert.equal(format === 'yaml' ? parse(quoted) : runInNewContext(quoted), HOSTILE)
    })

  test('no language finds anything to fill in', ({ assert }) => {
    assert.equal(quote(`a'b\\c#{d}`, 'ruby'), String.raw`'a\'b\\c#{d}'`)
    assert.equal(quote('a"b$c', 'kotlin'), String.raw`"a\"b\$c"`)
    assert.equal(quote('a"b$c', 'dotenv'), String.raw`"a\"b\$c"`)
    assert.equal(quote('Acme; & "Sons"', 'ini'), '`Acme; & "Sons"`')
    assert.equal(quote('Acme', 'ini'), 'Acme')
  })

  test('{0} cannot hold {1}')
    .with(UNHOLDABLE.map((each) => [...each]))
    .run(({ assert }, [format, value]) => {
      assert.isNull(quote(value, format as Format))
    })
})
