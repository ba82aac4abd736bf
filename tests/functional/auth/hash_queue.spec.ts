import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import passwords from '#config/passwords'
import { E_UNAVAILABLE } from '#exceptions/http_errors'
import { createUser, login, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { beforeVerify, holdHash } from '#tests/support/held_hash'
import { setLimit } from '#tests/support/limits'
import { digestOf } from '#tests/support/secret_digests'

test.group('Hash queue | full', (group) => {
  const { hashConcurrency } = passwords
  const { hashQueue } = limits
  group.each.setup(() => {
    passwords.hashConcurrency = 0
    limits.hashQueue = 1
    return () => {
      passwords.hashConcurrency = hashConcurrency
      limits.hashQueue = hashQueue
    }
  })

  test('a login without room is refused before it counts', async ({ client, assert }) => {
    const [owner, second] = [await createUser(), await createUser()]
    const held = holdHash('verify', PASSWORD)
    const admitted = login(client, { email: owner.email }).then()
    await held.begun
    const refused = await login(client, { email: second.email })
    refused.assertStatus(503)
    refused.assertBodyContains({ code: 'E_BUSY' })
    refused.assertHeader('retry-after', '1')
    held.release()
    const first = await admitted
    first.assertStatus(200)
    const failed = await login(client, { email: second.email, password: 'Wrong-h0rse!' })
    assert.equal(failed.body().attemptsRemaining, 4)
  })

  test('a login without room asks the database nothing', async ({ client, assert }) => {
    const user = await createUser()
    const held = holdHash('verify', PASSWORD)
    const admitted = login(client, { email: user.email }).then()
    await held.begun
    const statements: string[] = []
    const note = ({ sql }: { sql: string }) => statements.push(sql)
    const knex = db.connection().getWriteClient()
    knex.on('query', note)
    const refused = await login(client, { email: user.email })
    knex.off('query', note)
    refused.assertStatus(503)
    assert.deepEqual(
      statements.filter((sql) => /users|login_attempts/.test(sql)),
      []
    )
    held.release()
    await admitted
  })

  test('logins without room count against no throttle', async ({ client }) => {
    setLimit(limits.login, 2)
    const [owner, second] = [await createUser(), await createUser()]
    const address = someAddress()
    const held = holdHash('verify', PASSWORD)
    const admitted = login(client, { email: owner.email }).then()
    await held.begun
    for (let count = 1; count <= 5; count++) {
      const refused = await login(client, { email: second.email, address })
      refused.assertStatus(503)
    }
    held.release()
    await admitted
    const right = await login(client, { email: second.email, address })
    right.assertStatus(200)
  })

  test('right passwords that start no session count against no throttle', async ({
    client,
    cleanup,
  }) => {
    const { transaction } = db
    cleanup(() => void Object.assign(db, { transaction }))
    setLimit(limits.login, 2)
    const [user, address] = [await createUser(), someAddress()]
    const refuseSessions = (...args: unknown[]) => {
      if (new Error().stack!.includes('open_session')) throw new E_UNAVAILABLE()
      return transaction.apply(db, args as never)
    }
    Object.assign(db, { transaction: refuseSessions })
    for (let count = 1; count <= 5; count++) {
      const refused = await login(client, { email: user.email, address })
      refused.assertStatus(503)
    }
    Object.assign(db, { transaction })
    const right = await login(client, { email: user.email, address })
    right.assertStatus(200)
  })

  test('confirmations without room count against no throttle', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const confirm = () =>
      client.post('/auth/export').headers(headers).json({ currentPassword: PASSWORD })
    limits.hashQueue = 0
    for (let count = 0; count <= limits.currentPassword.limit; count++) {
      const refused = await confirm()
      refused.assertStatus(503)
    }
    limits.hashQueue = 1
    const right = await confirm()
    right.assertStatus(200)
  })

  test('failed logins give their room back', async ({ client }) => {
    const user = await createUser()
    for (const password of ['Wrong-1!', 'Wrong-2!', 'Wrong-3!']) {
      const response = await login(client, { email: user.email, password })
      response.assertStatus(401)
    }
    const response = await login(client, { email: user.email })
    response.assertStatus(200)
  })

  test('a sign-in passes before its hash is renewed', async ({ client, assert }) => {
    const user = await createUser()
    const imported = digestOf(PASSWORD)
    await db.from('users').where('id', user.id).update({ password: imported })
    beforeVerify(imported, () => void (limits.hashQueue = 0))
    const response = await login(client, { email: user.email })
    response.assertStatus(200)
    const { password } = await db.from('users').where('id', user.id).firstOrFail()
    assert.equal(password, imported)
  })
})
