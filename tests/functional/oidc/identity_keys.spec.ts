import { createPublicKey } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import oidc from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { readKeys } from '#auth/signing_keys/key_rows'
import { cachedKeys } from '#auth/signing_keys/cached_keys'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { publicKeys } from '#auth/signing_keys/public_keys'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { ensureKey } from '#auth/signing_keys/prepare_keys'
import { KEY_PURPOSES } from '#auth/signing_keys/signing_key'
import { SigningKeysCheck } from '#health/checks/signing_keys_check'
import { asOtherProcess, signWith } from '#tests/support/signing_keys'

/* Keys that sign ID tokens: one for each algorithm, whatever signs access tokens. */

const DOCUMENTS = [
  { path: '/.well-known/jwks.json' },
  { path: '/.well-known/openid-configuration' },
  { path: '/.well-known/oauth-authorization-server' },
]

const kept = async () => {
  const keys = await readKeys()
  return keys.map(({ purpose, algorithm }) => `${purpose} ${algorithm}`)
}

test.group('Identity keys | first reading', (group) => {
  signWith(group, 'HS256')

  test('{path} makes the RSA key, once')
    .with(DOCUMENTS)
    .run(async ({ client, assert }, { path }) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.get(path)))
      for (const answer of answers) answer.assertStatus(200)
      assert.deepEqual(await kept(), ['id_rs256 RS256'])
    })

  test('the document has an RSA key of 2048 bits', async ({ client, assert }) => {
    const answer = await client.get('/.well-known/jwks.json')
    const [key, ...others] = answer.body().keys
    assert.lengthOf(others, 0)
    assert.sameMembers(Object.keys(key), ['kid', 'alg', 'use', 'kty', 'n', 'e'])
    assert.deepInclude(key, { alg: 'RS256', use: 'sig', kty: 'RSA' })
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    assert.equal(asymmetricKeyDetails?.modulusLength, 2_048)
  })

  test('without the provider HS256 has no document', async ({ client, assert }) => {
    oidc.isOn = false
    const answer = await client.get('/.well-known/jwks.json')
    answer.assertStatus(404)
    assert.match(answer.body().message, /ACCESS_TOKEN_ALGORITHM.*OIDC_PROVIDER/)
    assert.deepEqual(await kept(), [])
  })

  test('processes at once make one key of each algorithm', async ({ assert }) => {
    const stale = await cachedKeys(0)
    const uses = KEY_PURPOSES.filter((purpose) => purpose !== 'access')
    const made = await Promise.all(uses.map((purpose) => ensureKey(purpose, stale)))
    assert.lengthOf(made, 3)
    await Promise.all(uses.map((purpose) => ensureKey(purpose, stale)))
    assert.sameMembers(await kept(), ['id_rs256 RS256', 'identity ES256', 'id_eddsa EdDSA'])
  })
})

test.group('Identity keys | life', (group) => {
  signWith(group, 'ES256')

  async function withEachKey() {
    for (const purpose of KEY_PURPOSES) await signingKid(purpose)
  }

  test('a rotation publishes a key of each algorithm', async ({ assert }) => {
    await withEachKey()
    await rotateKeys(SYSTEM)
    const { keys } = await publicKeys()
    const algorithms = keys.map(({ alg }) => alg)
    assert.sameMembers(
      algorithms,
      ['ES256', 'RS256', 'EdDSA', 'ES256'].flatMap((alg) => [alg, alg])
    )
  })

  test('a revoked RSA key has a successor at once', async ({ assert }) => {
    await withEachKey()
    const revoked = await signingKid('id_rs256')
    await revokeKey(revoked, SYSTEM)
    assert.notEqual(await signingKid('id_rs256'), revoked)
    const { keys } = await publicKeys()
    assert.lengthOf(
      keys.filter(({ alg }) => alg === 'RS256'),
      1
    )
  })

  test('doctor names the ID tokens that no key signs', async ({ assert }) => {
    await withEachKey()
    const good = await new SigningKeysCheck().run()
    assert.equal(good.status, 'ok')
    const rsa = db.from('signing_keys').where('purpose', 'id_rs256')
    await rsa.update({ kid: 'k'.repeat(43) })
    asOtherProcess()
    const bad = await new SigningKeysCheck().run()
    assert.equal(bad.status, 'error')
    assert.include(bad.message, 'ID tokens (RS256)')
  })
})
