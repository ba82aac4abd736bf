import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { reserveTokens } from '#auth/signing_keys/key_rows'
import { revokeKey } from '#auth/signing_keys/rotation'
import { signingKid } from '#auth/signing_keys/jws_signer'
import { forgetDeletedClient, noteDeletedClient } from '#auth/tokens/deleted_clients'
import { SYSTEM } from '#audit/actor'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { createUser } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'

async function currentVersion(): Promise<string> {
  const { version } = await db.from('configuration_version').firstOrFail()
  return version
}

/** Returns whether the work changes the version of the configuration. */
async function renews(work: () => Promise<unknown>) {
  const before = await currentVersion()
  await work()
  return (await currentVersion()) !== before
}

/** Changes of what processes keep in memory. A new kind adds its row. */
const CHANGES: Record<string, () => Promise<() => Promise<unknown>>> = {
  'a client that is registered': async () => () => application(),
  'a redirect address that is removed': async () => {
    const { client } = await application()
    return () => updateClient(client.id, { redirectUris: ['https://b.example.org/'] }, SYSTEM)
  },
  'a secret that is rotated': async () => {
    const { client } = await application()
    return () => rotateSecret(client.id, SYSTEM)
  },
  'a client that is deleted': async () => {
    const { client } = await application()
    return () => deleteClient(client.id, SYSTEM)
  },
  'a deletion that begins': async () => () => {
    const deleted = { clientId: crypto.randomUUID(), backchannelLogoutUri: null }
    return db.transaction((trx) => noteDeletedClient(deleted, trx))
  },
  'a deletion that ends': async () => {
    const deleted = { clientId: crypto.randomUUID(), backchannelLogoutUri: null }
    await db.transaction((trx) => noteDeletedClient(deleted, trx))
    return () => forgetDeletedClient(deleted.clientId)
  },
  'a group that is renamed': async () => {
    const { id } = await createGroup({ name: crypto.randomUUID() }, SYSTEM)
    return () => updateGroup(id, { name: crypto.randomUUID() }, SYSTEM)
  },
  'a group that is deleted': async () => {
    const { id } = await createGroup({ name: crypto.randomUUID() }, SYSTEM)
    return () => deleteGroup(id, SYSTEM)
  },
  'a key that is revoked': async () => {
    const kid = await signingKid('id_rs256')
    return () => revokeKey(kid, SYSTEM)
  },
}

test.group('Configuration version | changes', () => {
  test('is renewed by {$self}')
    .with(Object.keys(CHANGES))
    .run(async ({ assert }, name) => {
      assert.isTrue(await renews(await CHANGES[name]()))
    })

  test('is kept when a key reserves tokens', async ({ assert }) => {
    const kid = await signingKid('id_rs256')
    assert.isFalse(await renews(() => reserveTokens(kid, Date.now())))
  })

  test('is kept when a group gets a member', async ({ assert }) => {
    const group = await createGroup({ name: crypto.randomUUID() }, SYSTEM)
    const { id } = await createUser({ password: null })
    assert.isFalse(await renews(() => addMember(id, group.id, SYSTEM)))
  })

  test('is kept when a change is rolled back', async ({ assert }) => {
    const { client } = await application()
    const change = async () => {
      const trx = await db.transaction()
      await trx.from('oauth_clients').where('id', client.id).update({ name: 'Other' })
      await trx.rollback()
    }
    assert.isFalse(await renews(change))
  })

  test('two changes at once wait for nothing but their commits', async ({ assert }) => {
    const clients = await Promise.all([application(), application()])
    const rotated = await Promise.all(clients.map(({ client }) => rotateSecret(client.id, SYSTEM)))
    assert.lengthOf(rotated, 2)
  })
})
