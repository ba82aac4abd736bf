import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration } from '#configuration/apply/apply'
import { findAuthenticClient } from '#oidc/clients/authenticate_client'
import { findClient } from '#oidc/clients/client_rows'
import { rotateSecret } from '#oidc/clients/clients'
import { configurationFile } from '#tests/support/configuration'
import { someAddress } from '#tests/support/fixtures'
import { beforeVerify } from '#tests/support/held_hash'
import { digestOf } from '#tests/support/secret_digests'

const STRONG = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const WEAK = 'insecure_secret'

async function clientWith(digest: string) {
  const clientId = `app-${randomUUID()}`
  const file = await configurationFile(`clients:
  - clientId: ${clientId}
    redirectUris: [https://app.example.org/cb]
    secretFrom: file:secret
`)
  await writeFile(join(dirname(file), 'secret'), `${digest}\n`, { mode: 0o600 })
  const apply = () => applyConfiguration([file], { actor: SYSTEM })
  await apply()
  return { clientId, apply }
}

/** Counts the comparisons with a hash of this format, and runs `meanwhile` during each of them. */
function countVerified(digest: string, meanwhile = async () => {}) {
  let count = 0
  beforeVerify(digest, () => {
    count++
    return meanwhile()
  })
  return () => count
}

async function isTaken(clientId: string, secret: string) {
  const from = { ip: someAddress(), userAgent: null }
  return (await findAuthenticClient({ clientId, candidates: [secret] }, from)) !== null
}

test.group('Configuration files | hashed secrets', () => {
  test('the first right secret replaces the hash', async ({ assert }) => {
    const { clientId, apply } = await clientWith(digestOf(STRONG))
    assert.isFalse(await isTaken(clientId, STRONG.toLowerCase()))
    const before = await findClient(clientId)
    assert.isNull(before!.secretHash)
    assert.isTrue(await isTaken(clientId, STRONG))
    const after = await findClient(clientId)
    assert.isNotNull(after!.secretHash)
    assert.isTrue(await isTaken(clientId, STRONG))
    const again = await apply()
    assert.deepEqual(again.changes, [])
  })

  test('a weak secret stays behind its hash', async ({ assert }) => {
    const { clientId } = await clientWith(digestOf(WEAK))
    assert.isTrue(await isTaken(clientId, WEAK))
    assert.isTrue(await isTaken(clientId, WEAK))
    const client = await findClient(clientId)
    assert.isNull(client!.secretHash)
  })

  test('40 wrong ones at once of a known address are hashed 20 times', async ({ assert }) => {
    const digest = digestOf(WEAK)
    const { clientId } = await clientWith(digest)
    const from = { ip: someAddress(), userAgent: null }
    const attempt = (secret: string) =>
      findAuthenticClient({ clientId, candidates: [secret] }, from).catch(({ code }) => code)
    const known = await attempt(WEAK)
    assert.equal(known.clientId, clientId)
    const count = countVerified(digest)
    const guesses = Array.from({ length: 40 }, (_, number) => attempt(`guess ${number}`))
    const outcomes = await Promise.all(guesses)
    const refused = outcomes.filter((outcome) => outcome === 'E_TOO_MANY_REQUESTS')
    assert.deepEqual([count(), refused.length], [20, 20])
  })

  test('the hash itself is no secret', async ({ assert }) => {
    const digest = digestOf(STRONG)
    const { clientId } = await clientWith(digest)
    assert.isFalse(await isTaken(clientId, digest))
  })

  test('another secret ends the hash', async ({ assert }) => {
    const { clientId } = await clientWith(digestOf(STRONG))
    const { id } = (await findClient(clientId))!
    await assert.rejects(() => rotateSecret(id, SYSTEM), /manages this/)
    const file = await configurationFile(`clients: [{ clientId: ${clientId} }]`)
    await applyConfiguration([file], { actor: SYSTEM })
    const { clientSecret } = await rotateSecret(id, SYSTEM)
    assert.isTrue(await isTaken(clientId, clientSecret!))
    assert.isFalse(await isTaken(clientId, STRONG))
  })

  test('another secret ends a hash that is being compared', async ({ assert }) => {
    const digest = digestOf(WEAK)
    const { clientId } = await clientWith(digest)
    const file = await configurationFile(`clients: [{ clientId: ${clientId} }]`)
    await applyConfiguration([file], { actor: SYSTEM })
    const client = await findClient(clientId)
    const count = countVerified(digest, async () => void (await rotateSecret(client!.id, SYSTEM)))
    assert.isFalse(await isTaken(clientId, WEAK))
    assert.equal(count(), 1)
  })
})
