import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/signing_keys'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { listAuditEventsAfter } from '#audit/trail/query'
import { publicKeys } from '#auth/signing_keys/public_keys'
import { listKeys } from '#auth/signing_keys/key_records'
import { readKeys } from '#auth/signing_keys/key_rows'
import { pruneKeys } from '#auth/signing_keys/prune_keys'
import { revokeKey, rotateKeys } from '#auth/signing_keys/rotation'
import { prepareKeys } from '#auth/signing_keys/prepare_keys'
import { issueAccessToken, verifyAccessToken } from '#auth/tokens/access_tokens'
import { SigningKeysCheck } from '#health/checks/signing_keys_check'
import { decodeHeader } from '#tests/support/fixtures'
import { asOtherProcess, signWith, API_ALONE } from '#tests/support/signing_keys'
import { randomUUID } from 'node:crypto'

const subject = { id: randomUUID(), email: 'ada@example.org', role: 'User' }

const issue = () => issueAccessToken(subject, randomUUID())

/** Returns the key id of a newly issued token. */
async function signer() {
  return decodeHeader(await issue()).kid as string
}

async function states() {
  const keys = await listKeys()
  return keys.map(({ state }) => state)
}

const publishedIds = async () => {
  const { keys } = await publicKeys()
  return keys.map(({ kid }) => kid)
}

test.group('Key rotation | life of a key', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('the first key signs at once', async ({ assert }) => {
    await prepareKeys()
    assert.deepEqual(await states(), ['signing'])
    assert.include(await publishedIds(), await signer())
  })

  test('the next key signs ten minutes after its publication', async ({ assert }) => {
    const first = await signer()
    await rotateKeys(SYSTEM)
    assert.deepEqual(await states(), ['published', 'signing'])
    assert.lengthOf(await publishedIds(), 2)
    timeTravel(settings.publishedBeforeMs - 1_000)
    assert.equal(await signer(), first)
    timeTravel(2_000)
    assert.notEqual(await signer(), first)
    assert.deepEqual(await states(), ['signing', 'verifying'])
  })

  test('a replaced key verifies until its last token ends', async ({ assert }) => {
    await issue()
    await rotateKeys(SYSTEM)
    timeTravel(settings.publishedBeforeMs - 1_000)
    const last = await issue()
    const { kid } = decodeHeader(last)
    timeTravel(tokens.accessTtlMs - 2_000)
    assert.isNotNull(await verifyAccessToken(last))
    assert.include(await publishedIds(), kid)
    timeTravel(settings.reservationMs + 3_000)
    assert.isNull(await verifyAccessToken(last))
    assert.notInclude(await publishedIds(), kid)
    assert.deepEqual(await states(), ['signing', 'expired'])
  })

  test('a key in use stays published without any sign-in', async ({ assert }) => {
    const kid = await signer()
    timeTravel(30 * 86_400_000)
    assert.deepEqual(await publishedIds(), [kid])
  })

  test('a replaced key loses its private part, then its row', async ({ assert }) => {
    await issue()
    await rotateKeys(SYSTEM, { isImmediate: true })
    await pruneKeys(Date.now() + settings.publishedBeforeMs - 1_000)
    const [, kept] = await readKeys()
    assert.isNotNull(kept.encryptedPrivateKey)
    await pruneKeys(Date.now() + settings.publishedBeforeMs + 1_000)
    const [signing, replaced] = await readKeys()
    assert.isNotNull(signing.encryptedPrivateKey)
    assert.isNull(replaced.encryptedPrivateKey)
    await pruneKeys(Date.now() + 2 * 86_400_000)
    assert.lengthOf(await readKeys(), 1)
  })
})

test.group('Key rotation | rotate', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('five rotations at once publish one key', async ({ assert }) => {
    await issue()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotateKeys(SYSTEM)))
    assert.isTrue(outcomes.some(({ status }) => status === 'fulfilled'))
    assert.deepEqual(await states(), ['published', 'signing'])
  })

  test('a second rotation is refused while a key waits', async ({ assert }) => {
    await issue()
    await rotateKeys(SYSTEM)
    await assert.rejects(() => rotateKeys(SYSTEM), /published already/)
    await rotateKeys(SYSTEM, { isImmediate: true })
    assert.deepEqual(await states(), ['signing', 'verifying'])
  })

  test('HS256 has no key to rotate', async ({ assert }) => {
    settings.algorithm = 'HS256'
    await assert.rejects(() => rotateKeys(SYSTEM), /ACCESS_TOKEN_ALGORITHM/)
  })

  test('KEY_ROTATION replaces a key by its age', async ({ assert }) => {
    settings.rotationMs = 90 * 86_400_000
    const first = await signer()
    timeTravel(settings.rotationMs - settings.publishedBeforeMs - 60_000)
    assert.equal(await signer(), first)
    assert.deepEqual(await states(), ['signing'])
    timeTravel(120_000)
    assert.equal(await signer(), first)
    assert.deepEqual(await states(), ['published', 'signing'])
    timeTravel(settings.publishedBeforeMs)
    assert.notEqual(await signer(), first)
  })

  test('each change of a key is in the trail', async ({ assert }) => {
    const first = await signer()
    await rotateKeys(SYSTEM)
    await rotateKeys(SYSTEM, { isImmediate: true })
    await revokeKey(first, SYSTEM)
    const { events } = await listAuditEventsAfter({}, { limit: 4 })
    assert.deepEqual(
      events.map(({ action }) => action),
      [
        'signing_key.revoked',
        'signing_key.started',
        'signing_key.published',
        'signing_key.published',
      ]
    )
    assert.notMatch(JSON.stringify(events), /PRIVATE|"d"/)
  })
})

test.group('Key rotation | another algorithm', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('is published while the old key signs on', async ({ assert }) => {
    const first = await signer()
    settings.algorithm = 'EdDSA'
    await prepareKeys()
    await prepareKeys()
    assert.equal(await signer(), first)
    const keys = await listKeys()
    assert.deepEqual(
      keys.map(({ algorithm, state }) => `${algorithm} ${state}`),
      ['EdDSA published', 'ES256 signing']
    )
    timeTravel(settings.publishedBeforeMs + 1_000)
    assert.notEqual(await signer(), first)
  })
})

test.group('Key rotation | revoke', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('another key signs at once', async ({ assert }) => {
    const first = await signer()
    await revokeKey(first, SYSTEM)
    assert.deepEqual(await states(), ['signing', 'revoked'])
    assert.notEqual(await signer(), first)
    const [, revoked] = await readKeys()
    assert.isNull(revoked.encryptedPrivateKey)
  })

  test('the published key takes its place', async ({ assert }) => {
    const first = await signer()
    const [next] = await rotateKeys(SYSTEM)
    await revokeKey(first, SYSTEM)
    assert.equal(await signer(), next.kid)
    assert.lengthOf(await readKeys(), 2)
  })

  test('a key is revoked once', async ({ assert }) => {
    const first = await signer()
    const outcomes = await Promise.allSettled([
      revokeKey(first, SYSTEM),
      revokeKey(first, SYSTEM),
      revokeKey('unknown', SYSTEM),
    ])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const all = await states()
    assert.lengthOf(
      all.filter((state) => state === 'signing'),
      1
    )
  })

  test('a process that signs meanwhile takes the next key', async ({ assert }) => {
    const first = await signer()
    await db.from('signing_keys').update({ revoked_at: Date.now(), private_key: null })
    timeTravel(settings.reservationMs + 1_000)
    assert.notEqual(await signer(), first)
  })
})

test.group('Key rotation | private keys', (group) => {
  signWith(group, 'ES256', API_ALONE)

  test('a key that APP_KEY does not decrypt signs nothing', async ({ assert }) => {
    await prepareKeys()
    const [key] = await readKeys()
    await rotateKeys(SYSTEM, { isImmediate: true })
    const [newest] = await readKeys()
    const row = db.from('signing_keys').where('kid', newest.kid)
    await row.update({ private_key: key.encryptedPrivateKey })
    asOtherProcess()
    assert.equal(await signer(), key.kid)
  })

  test('doctor names a key that cannot sign', async ({ assert }) => {
    await prepareKeys()
    const good = await new SigningKeysCheck().run()
    assert.equal(good.status, 'ok')
    await db.from('signing_keys').update({ kid: 'k'.repeat(43) })
    const bad = await new SigningKeysCheck().run()
    assert.equal(bad.status, 'error')
    assert.match(String(bad.meta?.remedy), /keys:rotate --now/)
  })
})
