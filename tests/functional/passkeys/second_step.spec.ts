import { test } from '@japa/runner'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import type User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { bearer, createUser, login, signedIn, someAddress } from '#tests/support/fixtures'
import { givePasskey, loginOptions } from '#tests/support/passkeys'
import type { Authenticator, Forgery } from '#tests/support/authenticator'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'

const codeOf = (response: ApiResponse) => response.body().code ?? String(response.status())

async function challengeOf(client: ApiClient, { email }: User): Promise<string> {
  const response = await login(client, { email })
  return response.body().mfaToken
}

interface Step {
  mfaToken: string
  authenticator: Authenticator
  forged?: Forgery
}

async function answer(client: ApiClient, { mfaToken, authenticator, forged }: Step) {
  const passkey = authenticator.get(await loginOptions(client), forged)
  const request = client.post('/auth/mfa/verify').header('x-forwarded-for', someAddress())
  return request.json({ mfaToken, passkey })
}

test.group('Passkeys | second step', () => {
  test('a passkey answers in place of a code', async ({ client, assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const { authenticator } = await givePasskey(user)
    const mfaToken = await challengeOf(client, user)
    const response = await answer(client, { mfaToken, authenticator })
    const headers = { authorization: `Bearer ${response.body().accessToken}` }
    const sessions = await client.get('/auth/sessions').headers(headers)
    const [{ method, amr }] = sessions.body()
    assert.deepEqual({ method, amr }, { method: 'password', amr: ['pwd', 'hwk', 'user', 'mfa'] })
  })

  test('its session ends with the passkey', async ({ client, assert }) => {
    const user = await createUser()
    const byPassword = await signedIn(client, user)
    await giveSecondFactor(user)
    const { id, authenticator } = await givePasskey(user)
    const mfaToken = await challengeOf(client, user)
    const byPasskey = await answer(client, { mfaToken, authenticator })
    await removePasskey(user.id, { id }, SYSTEM)
    const statuses = []
    for (const headers of [bearer(byPasskey.body().accessToken), byPassword.headers]) {
      const profile = await client.get('/auth/profile').headers(headers)
      statuses.push(profile.status())
    }
    assert.deepEqual(statuses, [401, 200])
  })

  test('the passkey of another user is refused', async ({ client, assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const { authenticator } = await givePasskey(await createUser())
    const mfaToken = await challengeOf(client, user)
    const response = await answer(client, { mfaToken, authenticator })
    assert.equal(codeOf(response), 'E_PASSKEY_INVALID')
  })

  test('five wrong passkeys end the challenge', async ({ client, assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const { authenticator } = await givePasskey(user)
    const mfaToken = await challengeOf(client, user)
    const forged = { rpId: 'evil.example' }
    for (let count = 0; count < 5; count++)
      await answer(client, { mfaToken, authenticator, forged })
    const response = await answer(client, { mfaToken, authenticator })
    assert.equal(codeOf(response), 'E_INVALID_MFA_TOKEN')
  })

  test('one challenge starts one session', async ({ client, assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const { authenticator } = await givePasskey(user)
    const mfaToken = await challengeOf(client, user)
    const step = { mfaToken, authenticator }
    const responses = await Promise.all([answer(client, step), answer(client, step)])
    assert.lengthOf(
      responses.map(codeOf).filter((code) => code === '200'),
      1
    )
  })

  test('neither code nor passkey is a wrong request', async ({ client, assert }) => {
    const response = await client.post('/auth/mfa/verify').json({ mfaToken: 'x' })
    assert.deepEqual(
      response.body().errors.map(({ field }: { field: string }) => field),
      ['code']
    )
  })
})
