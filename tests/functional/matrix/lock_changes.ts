import { SYSTEM } from '#audit/actor'
import { lockUser } from '#users/lock_user'
import { createAdmin, login, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { givePasskey, passkeyLogin } from '#tests/support/passkeys'
import { giveSecondFactor } from './sign_in_methods.ts'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import type User from '#models/user'

const WRONG = 'Wrong-h0rse!'

/** Logs in with the right credentials. */
type Enter = () => PromiseLike<ApiResponse>

export interface Change {
  /** Sends the change while Redis is lost or late. */
  send: () => PromiseLike<ApiResponse>
  enter: Enter
}

export type Begin = (client: ApiClient, user: User) => Promise<Change>

/** Sets a lock or none, before the change. */
type Before = (client: ApiClient, user: User) => Promise<Enter>

export const entering: Before = async (client, { email }) => {
  return () => login(client, { email })
}

async function failFour(fail: () => PromiseLike<ApiResponse>) {
  for (let count = 1; count <= 4; count++) await fail()
}

export function byFailures(deviceOf: (client: ApiClient, user: User) => Promise<object>): Begin {
  return async (client, user) => {
    const device = await deviceOf(client, user)
    const send = () => login(client, { email: user.email, password: WRONG, ...device })
    await failFour(send)
    return { send, enter: () => login(client, { email: user.email, ...device }) }
  }
}

export const byCodes: Begin = async (client, user) => {
  const right = await giveSecondFactor(user)
  const wrong = right === '000000' ? '111111' : '000000'
  const signIn = (code: string) => () =>
    client
      .post('/auth/login')
      .header('x-forwarded-for', someAddress())
      .json({ email: user.email, password: PASSWORD, code })
  await failFour(signIn(wrong))
  return { send: signIn(wrong), enter: signIn(right) }
}

export function byAdmin(action: 'lock' | 'unlock', before: Before): Begin {
  return async (client, user) => {
    const enter = await before(client, user)
    const { headers } = await signedIn(client, await createAdmin())
    return { send: () => client.post(`/users/${user.id}/${action}`).headers(headers), enter }
  }
}

/** Makes the fifth failure, which locks. */
export function after(begin: Begin): Before {
  return async (client, user) => {
    const { send, enter } = await begin(client, user)
    await send()
    return enter
  }
}

export const afterFailures = after(byFailures(async () => ({})))

export const afterLock: Before = async (client, user) => {
  await lockUser(user.id, Date.now() + 3_600_000, SYSTEM)
  return entering(client, user)
}

export const byReset: Begin = async (client, user) => {
  const enter = await afterFailures(client, user)
  const post = (path: string, body: object) =>
    client.post(path).header('x-forwarded-for', someAddress()).json(body)
  await post('/auth/forgot-password', { email: user.email })
  const token = await mailedToken(user.email, 'password_reset')
  const send = () => post('/auth/reset-password', { token, newPassword: `${PASSWORD}2` })
  return { send, enter }
}

export const byPasskey: Begin = async (client, user) => {
  const { authenticator } = await givePasskey(user)
  const enter = await afterFailures(client, user)
  return { send: () => passkeyLogin(client, authenticator), enter }
}
