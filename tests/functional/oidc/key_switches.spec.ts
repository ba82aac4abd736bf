import { test, timeTravel, freezeTime } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { revokeRow } from '#auth/signing_keys/key_rows'
import { pruneKeys } from '#auth/signing_keys/prune_keys'
import { cachedKeys } from '#auth/signing_keys/cached_keys'
import { listKeys } from '#auth/signing_keys/key_records'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { pruneExpired } from '#maintenance/prune_expired'
import { addServiceAccount } from '#users/service_accounts'
import { createUser, decodeHeader } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { signWith } from '#tests/support/signing_keys'
import { post } from './attacker.ts'

/* The keys change while the library signs: each response has a token signed by a valid key. */

async function machine() {
  const { id: serviceAccountId } = await addServiceAccount({ username: 'Reports' }, SYSTEM)
  const grantTypes = ['client_credentials' as const]
  const given = { grantTypes, redirectUris: [], scopes: ['sessions:read' as const] }
  const { client, clientSecret } = await application({ ...given, serviceAccountId })
  const credentials = { client_id: client.clientId, client_secret: clientSecret! }
  const body = { ...credentials, grant_type: 'client_credentials', resource: settings.issuer }
  return () => post('/oauth/token', body)
}

test.group('OpenID provider | switches of the signing key', (group) => {
  signWith(group, 'ES256')

  test('no answer fails while keys are replaced and revoked', async ({ assert }) => {
    const ask = await machine()
    const statuses: number[] = []
    const kids = new Set<string>()
    let ok = false
    async function load() {
      while (!ok) {
        const { status, body } = await ask()
        statuses.push(status)
        if (body.access_token) kids.add(decodeHeader(body.access_token).kid)
      }
    }
    const loads = Array.from({ length: 8 }, load)
    for (let round = 0; round < 15; round++) {
      const [{ kid }] = await rotateKeys(SYSTEM, { isImmediate: true })
      await ask()
      if (round % 3 === 0) await revokeKey(kid, SYSTEM)
    }
    ok = true
    await Promise.all(loads)
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      []
    )
    assert.isAbove(kids.size, 5)
  })

  test('a key that another process has just revoked signs nothing', async ({ assert }) => {
    const ask = await machine()
    await ask()
    const [{ kid }] = await rotateKeys(SYSTEM, { isImmediate: true })
    await cachedKeys(0)
    await db.transaction((trx) => revokeRow(kid, Date.now(), trx))
    const { status, body } = await ask()
    assert.equal(status, 200)
    assert.notEqual(decodeHeader(body.access_token).kid, kid)
  })
})

const AFTER = 'https://app.example.org/goodbye'

test.group('Logout | with an ID token of a key that is gone', (group) => {
  signWith(group, 'HS256')

  async function signedInto() {
    const app = await application({ kind: 'first_party', postLogoutRedirectUris: [AFTER] })
    const browser = await browserOf(await createUser())
    const { id_token: hint } = await tokensOf(app, browser)
    const url = new URL(`${settings.issuer}/oauth/logout`)
    url.search = String(
      new URLSearchParams({ id_token_hint: hint!, post_logout_redirect_uri: AFTER })
    )
    return { browser, url, kid: decodeHeader(hint!).kid as string }
  }

  const CONFIRM = /^\/oauth\/logout\/confirm$/

  test('that was revoked asks, and leads back', async ({ assert }) => {
    const { browser, url, kid } = await signedInto()
    await revokeKey(kid, SYSTEM)
    const page = await browser.open(url)
    assert.equal(page.response.status, 200)
    assert.include(page.html, 'Grafana')
    const answer = await browser.submit(page, CONFIRM)
    assert.equal(answer.url.href, AFTER)
  })

  test('that was replaced keeps its public part while sessions may live', async ({ assert }) => {
    await db.from('oauth_clients').whereNotNull('refresh_token_ttl').delete()
    freezeTime()
    const { kid } = await signedInto()
    const isKept = async () => {
      const keys = await listKeys()
      return keys.some((key) => key.kid === kid)
    }
    await rotateKeys(SYSTEM, { isImmediate: true })
    timeTravel(tokens.refreshTtlMs)
    await pruneKeys(Date.now())
    assert.isTrue(await isKept())
    timeTravel(settings.idTokenSeconds * 1_000 + 60_000)
    await pruneKeys(Date.now())
    assert.isFalse(await isKept())
  })

  test('that was replaced is kept as long as a client lets sessions live', async ({ assert }) => {
    freezeTime()
    const { kid } = await signedInto()
    await application({ refreshTokenTtl: '30d' })
    await rotateKeys(SYSTEM, { isImmediate: true })
    timeTravel(29 * 86_400_000)
    await pruneExpired()
    const keys = await listKeys()
    assert.include(
      keys.map((key) => key.kid),
      kid
    )
  })
})
