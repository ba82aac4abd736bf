import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import Identity from '#models/identity'
import { resetMfa } from '#users/reset_mfa'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, signedIn, someAddress } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { Authenticator } from '#tests/support/authenticator'
import { givePasskey, passkeyLogin } from '#tests/support/passkeys'

type Headers = Record<string, string>

const codeOf = (response: ApiResponse) => response.body().code ?? String(response.status())

async function optionsFor(client: ApiClient, headers: Headers) {
  return client.post('/auth/passkeys/registration-options').headers(headers)
}

interface Registration {
  authenticator?: Authenticator
  name?: string
}

async function register(client: ApiClient, headers: Headers, registration: Registration = {}) {
  const { authenticator = new Authenticator(), name } = registration
  const options = await optionsFor(client, headers)
  const response = authenticator.create(options.body())
  return client.post('/auth/passkeys').headers(headers).json({ response, name })
}

async function kindsTo({ email }: { email: string }) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.map(({ kind }) => kind)
}

const APPLE = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'

test.group('Passkeys | adding', () => {
  test('the options name the user and exclude what they have', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const { authenticator } = await givePasskey(user)
    const response = await optionsFor(client, headers)
    const options = response.body()
    assert.containSubset(options, {
      rp: { id: 'gatehouse.test', name: 'Gatehouse' },
      user: { name: user.email, displayName: user.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    assert.deepEqual(
      options.excludeCredentials.map(({ id }: { id: string }) => id),
      [authenticator.id]
    )
    assert.equal(Buffer.from(options.challenge, 'base64url').length, 32)
    assert.equal(Buffer.from(options.user.id, 'base64url').length, 32)
  })

  test('every user keeps a handle of their own', async ({ client, assert }) => {
    const [ada, eve] = [await createUser(), await createUser()]
    const sessions = [await signedIn(client, ada), await signedIn(client, ada)]
    const other = await signedIn(client, eve)
    const handles = []
    for (const { headers } of [...sessions, other]) {
      const options = await optionsFor(client, headers)
      handles.push(options.body().user.id)
    }
    assert.equal(handles[0], handles[1])
    assert.notEqual(handles[0], handles[2])
  })

  test('a passkey that was added logs in', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const authenticator = new Authenticator({ isSynced: true, aaguid: APPLE })
    const added = await register(client, headers, { authenticator })
    added.assertStatus(201)
    assert.containSubset(added.body(), {
      name: 'Apple Passwords',
      holder: 'Apple Passwords',
      synced: true,
      backedUp: true,
      transports: ['hybrid', 'internal'],
      lastUsedAt: null,
    })
    assert.equal(codeOf(await passkeyLogin(client, authenticator)), '200')
    assert.include(await kindsTo(user), 'passkey_added')
  })

  test('a passkey keeps the name that it is given', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const added = await register(client, headers, { name: 'Blue key' })
    const listed = await client.get('/auth/passkeys').headers(headers)
    assert.equal(added.body().name, 'Blue key')
    assert.deepEqual(listed.body(), [added.body()])
  })

  test('a registered passkey cannot be added by {who}')
    .with([{ who: 'its owner' }, { who: 'somebody else' }])
    .run(async ({ client, assert }, { who }) => {
      const user = await createUser()
      const { authenticator } = await givePasskey(user)
      const caller = who === 'its owner' ? user : await createUser()
      const { headers } = await signedIn(client, caller)
      assert.equal(codeOf(await register(client, headers, { authenticator })), 'E_PASSKEY_EXISTS')
    })

  test('the tenth passkey is added and the eleventh refused', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    for (let count = 0; count < 9; count++) await givePasskey(user)
    const tenth = await register(client, headers)
    const eleventh = await optionsFor(client, headers)
    assert.deepEqual([tenth, eleventh].map(codeOf), ['201', 'E_PASSKEY_LIMIT'])
  })

  test('parallel registrations do not pass the limit', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    for (let count = 0; count < 8; count++) await givePasskey(user)
    const options = []
    for (let count = 0; count < 4; count++) options.push(await optionsFor(client, headers))
    const responses = await Promise.all(
      options.map((each) =>
        client
          .post('/auth/passkeys')
          .headers(headers)
          .json({ response: new Authenticator().create(each.body()) })
      )
    )
    assert.deepEqual(responses.map(codeOf).sort(), [
      '201',
      '201',
      'E_PASSKEY_LIMIT',
      'E_PASSKEY_LIMIT',
    ])
    assert.lengthOf(await db.from('passkeys').where('user_id', user.id), 10)
  })

  test('a session that has ended adds nothing', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const options = await optionsFor(client, headers)
    await client.post('/auth/logout').headers(headers)
    const response = new Authenticator().create(options.body())
    const added = await client.post('/auth/passkeys').headers(headers).json({ response })
    added.assertStatus(401)
    assert.lengthOf(await db.from('passkeys').where('user_id', user.id), 0)
  })
})

test.group('Passkeys | renaming and removing', () => {
  test('the owner renames a passkey', async ({ client, assert }) => {
    const user = await createUser()
    const { id } = await givePasskey(user)
    const { headers } = await signedIn(client, user)
    const renamed = await client
      .patch(`/auth/passkeys/${id}`)
      .headers(headers)
      .json({ name: 'Key' })
    renamed.assertStatus(200)
    assert.equal(renamed.body().name, 'Key')
  })

  test('{method} of {whose} passkey is not found')
    .with(
      (['patch', 'delete'] as const).flatMap((method) => [
        { method, whose: 'another user’s', isMalformed: false },
        { method, whose: 'a malformed', isMalformed: true },
      ])
    )
    .run(async ({ client }, { method, isMalformed }) => {
      const { id } = await givePasskey(await createUser())
      const { headers } = await signedIn(client, await createUser())
      const path = `/auth/passkeys/${isMalformed ? 'x' : id}`
      const response = await client[method](path).headers(headers).json({ name: 'Mine' })
      response.assertStatus(404)
    })

  test('a removed passkey logs in no user', async ({ client, assert }) => {
    const user = await createUser()
    const { id, authenticator } = await givePasskey(user)
    const { headers } = await signedIn(client, user)
    const removed = await client.delete(`/auth/passkeys/${id}`).headers(headers)
    assert.equal(codeOf(removed), '200')
    assert.equal(codeOf(await passkeyLogin(client, authenticator)), 'E_PASSKEY_INVALID')
    assert.include(await kindsTo(user), 'passkey_removed')
  })

  test('removing ends the other sessions that a passkey started', async ({ client, assert }) => {
    const user = await createUser()
    const { id, authenticator } = await givePasskey(user)
    const [own, stolen] = [
      await passkeyLogin(client, authenticator),
      await passkeyLogin(client, authenticator),
    ].map((response) => ({ authorization: `Bearer ${response.body().accessToken}` }))
    const byPassword = await signedIn(client, user)
    await client.delete(`/auth/passkeys/${id}`).headers(own)
    const statuses = []
    for (const headers of [own, stolen, byPassword.headers]) {
      const profile = await client.get('/auth/profile').headers(headers)
      statuses.push(profile.status())
    }
    assert.deepEqual(statuses, [200, 401, 200])
  })

  test('the last sign-in method stays, whichever it is', async ({ client, assert }) => {
    const user = await createUser({ password: null })
    const { id, authenticator } = await givePasskey(user)
    const login = await passkeyLogin(client, authenticator)
    const headers = { authorization: `Bearer ${login.body().accessToken}` }
    const removal = () => client.delete(`/auth/passkeys/${id}`).headers(headers)
    const only = await removal()
    const row = { provider: 'acme', issuer: 'https://acme.example', subject: user.id }
    await Identity.create({ ...row, userId: user.id })
    const unlinked = await client.delete('/auth/external/acme/link').headers(headers)
    const last = await removal()
    assert.deepEqual([only, unlinked, last].map(codeOf), ['E_LAST_METHOD', '200', 'E_LAST_METHOD'])
  })

  test('an identity goes last where the passkey has gone', async ({ client, assert }) => {
    const user = await createUser({ password: null })
    const { id, authenticator } = await givePasskey(user)
    const row = { provider: 'acme', issuer: 'https://acme.example', subject: user.id }
    await Identity.create({ ...row, userId: user.id })
    const login = await passkeyLogin(client, authenticator)
    const headers = { authorization: `Bearer ${login.body().accessToken}` }
    const removed = await client.delete(`/auth/passkeys/${id}`).headers(headers)
    const unlinked = await client.delete('/auth/external/acme/link').headers(headers)
    assert.deepEqual([removed, unlinked].map(codeOf), ['200', 'E_LAST_METHOD'])
  })

  test('of two removals at once one leaves a sign-in method', async ({ client, assert }) => {
    const user = await createUser({ password: null })
    const passkeys = [await givePasskey(user), await givePasskey(user)]
    const login = await passkeyLogin(client, passkeys[0].authenticator)
    const headers = { authorization: `Bearer ${login.body().accessToken}` }
    const removals = passkeys.map(({ id }) =>
      client.delete(`/auth/passkeys/${id}`).headers(headers)
    )
    const responses = await Promise.all(removals)
    assert.deepEqual(responses.map(codeOf).sort(), ['200', 'E_LAST_METHOD'])
  })
})

test.group('Passkeys | administrators', () => {
  test('an administrator lists and removes passkeys', async ({ client, assert }) => {
    const user = await createUser()
    const { id } = await givePasskey(user)
    const { headers } = await signedIn(client, await createAdmin())
    const listed = await client.get(`/users/${user.id}/passkeys`).headers(headers)
    const removed = await client.delete(`/users/${user.id}/passkeys/${id}`).headers(headers)
    const after = await client.get(`/users/${user.id}/passkeys`).headers(headers)
    assert.equal(codeOf(removed), '200')
    assert.deepEqual([listed.body().length, after.body().length], [1, 0])
  })

  test('a user may not see the passkeys of others', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, await createUser())
    const response = await client.get(`/users/${user.id}/passkeys`).headers(headers)
    response.assertStatus(403)
  })

  test('a reset of MFA removes every passkey', async ({ client, assert }) => {
    const user = await createUser()
    const passkeys = [await givePasskey(user), await givePasskey(user)]
    await resetMfa(user.id, SYSTEM)
    const logins = []
    for (const { authenticator } of passkeys) logins.push(await passkeyLogin(client, authenticator))
    const kinds = await kindsTo(user)
    const removed = kinds.filter((kind) => kind === 'passkey_removed')
    assert.deepEqual(logins.map(codeOf), ['E_PASSKEY_INVALID', 'E_PASSKEY_INVALID'])
    assert.lengthOf(removed, 2)
  })

  test('the export of a user has their passkeys', async ({ client, assert }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    const { headers } = await signedIn(client, user)
    const response = await client.get('/auth/export').headers(headers)
    const { passkeys } = response.body()
    assert.deepEqual(
      passkeys.map(({ credentialId }: { credentialId: string }) => credentialId),
      [authenticator.id]
    )
    assert.notInclude(response.text(), 'public_key')
  })

  test('related origins are public', async ({ client, assert }) => {
    const response = await client.get('/.well-known/webauthn')
    assert.deepEqual(response.body(), { origins: ['http://gatehouse.test'] })
    assert.include(response.header('content-type'), 'application/json')
  })

  test('options are bounded for each address', async ({ client, assert }) => {
    const address = someAddress()
    const statuses = []
    for (let count = 0; count <= 100; count++) {
      const request = client.post('/auth/passkeys/login-options')
      const response = await request.header('x-forwarded-for', address)
      statuses.push(response.status())
    }
    assert.deepEqual(statuses.slice(99), [200, 429])
  })
})
