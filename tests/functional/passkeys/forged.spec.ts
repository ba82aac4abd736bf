import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import { createUser, someAddress, signedIn } from '#tests/support/fixtures'
import { Authenticator, type Forgery } from '#tests/support/authenticator'
import { givePasskey, loginOptions, passkeyLogin } from '#tests/support/passkeys'

/* Forges each part of a response separately. All forgeries are refused in the same way. */

const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const OTHER_RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const LONG_ID = randomBytes(1_024)
const random = (bytes: number) => randomBytes(bytes).toString('base64url')

function idOf(bytes: Buffer) {
  const id = bytes.toString('base64url')
  return { id, rawId: id }
}

/** Bits of the flags in the authenticator data. */
const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10 }

const OF_BOTH: Record<string, Forgery> = {
  'another origin': { clientData: { origin: 'https://evil.example' } },
  'a sub-domain as origin': { clientData: { origin: 'http://app.gatehouse.test' } },
  'another scheme': { clientData: { origin: 'https://gatehouse.test' } },
  'another port': { clientData: { origin: 'http://gatehouse.test:8080' } },
  'no origin': { clientData: { origin: undefined } },
  'a list of origins': { clientData: { origin: ['http://gatehouse.test'] } },
  'a frame of another site': { clientData: { crossOrigin: true } },
  'another page above': { clientData: { topOrigin: 'https://evil.example' } },
  'another ceremony': { clientData: { type: 'payment.get' } },
  'another challenge': { clientData: { challenge: random(32) } },
  'a short challenge': { clientData: { challenge: random(16) } },
  'no challenge': { clientData: { challenge: undefined } },
  'a challenge that is an object': { clientData: { challenge: { $ne: '' } } },
  'another domain': { rpId: 'evil.example' },
  'a domain above': { rpId: 'test' },
  'no user present': { flags: FLAGS.userPresent },
  'no user verified': { flags: FLAGS.userVerified },
  'a copy of what cannot be copied': { flags: FLAGS.backedUp },
  'another id': { outer: { id: random(24) } },
  'another raw id': { outer: { rawId: random(24) } },
  'another type': { outer: { type: 'password' } },
  'client data that is no JSON': { inner: { clientDataJSON: random(40) } },
  'client data that is null': { inner: { clientDataJSON: 'bnVsbA' } },
}

const OF_LOGIN: Record<string, Forgery> = {
  ...OF_BOTH,
  'the ceremony of a registration': { clientData: { type: 'webauthn.create' } },
  'the signature of another key': { signer: OTHER_KEY },
  'a signature by RSA': { signer: OTHER_RSA },
  'no signature': { inner: { signature: 'AA' } },
  'a signature of letters': { inner: { signature: '?!' } },
  'data of other bytes': { inner: { authenticatorData: random(37) } },
  'data that is too short': { inner: { authenticatorData: random(8) } },
  'another kind of passkey': { flags: FLAGS.backupEligible },
  'no user': { inner: { userHandle: null } },
  'an empty user': { inner: { userHandle: '' } },
  'another user': { inner: { userHandle: random(32) } },
}

const OF_REGISTRATION: Record<string, Forgery> = {
  ...OF_BOTH,
  'the ceremony of a login': { clientData: { type: 'webauthn.get' } },
  'another id within': { credentialId: randomBytes(24) },
  'no id within': { credentialId: Buffer.alloc(0) },
  'an id of 1,024 bytes': { credentialId: LONG_ID, outer: idOf(LONG_ID) },
  'no key': { key: new Map() },
  'a key of another algorithm': {
    key: new Map<number, unknown>([
      [1, 2],
      [3, -65_535],
    ]),
  },
  'a statement of nothing': {
    statement: { fmt: 'none', attStmt: new Map<string, unknown>([['alg', -7]]) },
  },
  'a forged statement': {
    statement: {
      fmt: 'packed',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(randomBytes(70))],
      ]),
    },
  },
  'a statement of Apple': { statement: { fmt: 'apple', attStmt: new Map() } },
  'an unknown statement': { statement: { fmt: 'evil', attStmt: new Map() } },
  'an attestation of other bytes': { inner: { attestationObject: random(80) } },
}

const cases = (table: Record<string, Forgery>) =>
  Object.entries(table).map(([what, forged]) => ({ what, forged }))

function register(client: ApiClient, headers: Record<string, string>, response: object) {
  return client.post('/auth/passkeys').headers(headers).json({ response })
}

async function optionsFor(client: ApiClient, headers: Record<string, string>) {
  const request = client.post('/auth/passkeys/registration-options')
  const options = await request.headers({ ...headers, 'x-forwarded-for': someAddress() })
  return options.body()
}

function assertRefused(response: ApiResponse, status: number) {
  const { requestId, ...answer } = response.body()
  response.assertStatus(status)
  response.assert!.deepEqual(answer, {
    statusCode: status,
    error: status === 401 ? 'Unauthorized' : 'Bad Request',
    message: 'The passkey could not be verified',
    code: 'E_PASSKEY_INVALID',
  })
}

test.group('Passkeys | forged logins', () => {
  test('a login with {what} is refused as any other')
    .with(cases(OF_LOGIN))
    .run(async ({ client }, { forged }) => {
      const { authenticator } = await givePasskey(await createUser())
      assertRefused(await passkeyLogin(client, authenticator, { forged }), 401)
    })

  test('an unknown passkey is refused as any other', async ({ client }) => {
    assertRefused(await passkeyLogin(client, new Authenticator()), 401)
  })

  test('a passkey that was deleted is refused as any other', async ({ client }) => {
    const { authenticator, id } = await givePasskey(await createUser())
    await db.from('passkeys').where({ id }).delete()
    assertRefused(await passkeyLogin(client, authenticator), 401)
  })

  test('the handle of another user is refused as any other', async ({ client }) => {
    const { authenticator } = await givePasskey(await createUser())
    const other = await givePasskey(await createUser())
    authenticator.userHandle = other.authenticator.userHandle
    assertRefused(await passkeyLogin(client, authenticator), 401)
  })

  test('a response that logged in before is refused', async ({ client }) => {
    const { authenticator } = await givePasskey(await createUser())
    const response = authenticator.get(await loginOptions(client))
    const send = () => client.post('/auth/passkeys/login').json({ response })
    const first = await send()
    first.assertStatus(200)
    assertRefused(await send(), 401)
  })

  test('a refused response uses its challenge up', async ({ client }) => {
    const { authenticator } = await givePasskey(await createUser())
    const options = await loginOptions(client)
    const forged = authenticator.get(options, { signer: OTHER_KEY })
    await client.post('/auth/passkeys/login').json({ response: forged })
    const response = authenticator.get(options)
    assertRefused(await client.post('/auth/passkeys/login').json({ response }), 401)
  })

  test('the challenge of a registration logs in no user', async ({ client }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const { authenticator } = await givePasskey(user)
    const response = authenticator.get(await optionsFor(client, headers))
    assertRefused(await client.post('/auth/passkeys/login').json({ response }), 401)
  })

  test('the trail tells the cause, and the owner of a known passkey', async ({
    client,
    assert,
  }) => {
    const user = await createUser()
    const { authenticator } = await givePasskey(user)
    await passkeyLogin(client, authenticator, { forged: { signer: OTHER_KEY } })
    const event = await db.from('audit_events').where('target_id', user.id).first()
    const { method, reason, cause } = JSON.parse(event.details)
    assert.equal(event.action, 'login.refused')
    assert.deepEqual(
      { method, reason, cause },
      { method: 'passkey', reason: 'passkey', cause: 'signature' }
    )
  })
})

test.group('Passkeys | forged registrations', () => {
  test('a registration with {what} is refused as any other')
    .with(cases(OF_REGISTRATION))
    .run(async ({ client, assert }, { forged }) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      const response = new Authenticator().create(await optionsFor(client, headers), forged)
      assertRefused(await register(client, headers, response), 400)
      assert.lengthOf(await db.from('passkeys').where('user_id', user.id), 0)
    })

  test('the challenge of {whose} is refused as any other')
    .with([
      { whose: 'a login', challengeOf: 'login' },
      { whose: 'another user', challengeOf: 'another user' },
      { whose: 'another session', challengeOf: 'another session' },
    ])
    .run(async ({ client }, { challengeOf }) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      const owner = challengeOf === 'another user' ? await createUser() : user
      const other = await signedIn(client, owner)
      const options =
        challengeOf === 'login'
          ? await loginOptions(client)
          : await optionsFor(client, other.headers)
      const response = new Authenticator().create(options)
      assertRefused(await register(client, headers, response), 400)
    })

  test('a challenge registers one passkey', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const options = await optionsFor(client, headers)
    const first = await register(client, headers, new Authenticator().create(options))
    first.assertStatus(201)
    assertRefused(await register(client, headers, new Authenticator().create(options)), 400)
  })
})

const BIG = 'A'.repeat(16_384)

test.group('Passkeys | malformed bodies', () => {
  test('{what} answers {status}')
    .with([
      { what: 'no response', body: {}, status: 400 },
      { what: 'a text', body: { response: 'x' }, status: 400 },
      { what: 'a response without members', body: { response: { id: 'a' } }, status: 400 },
      { what: 'a response above 16 KB', body: { response: { id: BIG } }, status: 413 },
    ])
    .run(async ({ client, assert }, { body, status }) => {
      const { headers } = await signedIn(client, await createUser())
      const login = client.post('/auth/passkeys/login').header('x-forwarded-for', someAddress())
      const added = client.post('/auth/passkeys').headers(headers)
      const responses = [await login.json(body), await added.json(body)]
      assert.deepEqual(
        responses.map((response) => response.status()),
        [status, status]
      )
      assert.notEqual(responses[0].body().code, 'E_PASSKEY_INVALID')
    })

  test('a passkey above 16 KB is no second step', async ({ client }) => {
    const request = client.post('/auth/mfa/verify').header('x-forwarded-for', someAddress())
    const response = await request.json({ mfaToken: 'x', passkey: { id: BIG } })
    response.assertStatus(413)
  })
})
