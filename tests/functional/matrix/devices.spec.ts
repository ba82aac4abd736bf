import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { listDevices } from '#auth/devices/list_devices'
import { forgetDeviceAs } from '#auth/devices/forget_device'
import { lockUser } from '#users/lock_user'
import { setPassword } from '#users/change_password'
import { disableUser } from '#users/disable_user'
import {
  clientHeaders,
  createUser,
  knownDevice,
  login,
  PASSWORD,
  someAddress,
} from '#tests/support/fixtures'
import { giveSecondFactor, outcomeOf } from './sign_in_methods.ts'

/*
 | Every kind of device × every proof × every state of a user. Only a known device passes a lock
 | that strangers have caused; all other devices are treated as strangers.
 */

interface Device {
  deviceId: string
  deviceToken?: string
}

const DEVICES: Record<string, (client: ApiClient, user: User) => Promise<Device>> = {
  'known': knownDevice,
  'unknown': async () => ({ deviceId: 'laptop' }),
  'withdrawn': async (client, user) => {
    const device = await knownDevice(client, user)
    const [{ id }] = await listDevices(user.id)
    await forgetDeviceAs(user.id, id, SYSTEM)
    return device
  },
  'another device’s': async (client, user) => ({
    ...(await knownDevice(client, user)),
    deviceId: 'phone',
  }),
  'another user’s': async (client) => knownDevice(client, await createUser()),
  'known before a new password': async (client, user) => {
    const device = await knownDevice(client, user)
    await setPassword(user, PASSWORD, { actor: SYSTEM })
    await user.refresh()
    return device
  },
}

const STATES: Record<string, (client: ApiClient, user: User) => Promise<unknown>> = {
  'free': async () => {},
  'locked by failures': async (client, { email }) => {
    for (let count = 0; count < 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
  },
  'locked by an administrator': (_, { id }) => lockUser(id, Date.now() + 3_600_000, SYSTEM),
  'disabled': (_, { id }) => disableUser(id, {}, SYSTEM),
}

/** Prepares the request before the state changes, and returns it to be sent after the change. */
type Proof = (client: ApiClient, user: User, device: Device) => Promise<() => Promise<string>>

function byPassword(password: string): Proof {
  return async (client, { email }, device) => {
    return async () => outcomeOf(await login(client, { email, password, ...device }))
  }
}

function byCode(isRight: boolean): Proof {
  return async (client, user, device) => {
    const right = await giveSecondFactor(user)
    const wrong = right === '000000' ? '111111' : '000000'
    const challenge = await login(client, { email: user.email, ...device })
    const { mfaToken } = challenge.body()
    const request = client
      .post('/auth/mfa/verify')
      .header('x-forwarded-for', someAddress())
      .headers(clientHeaders(device))
      .json({ mfaToken, code: isRight ? right : wrong })
    return async () => outcomeOf(await request)
  }
}

const PROOFS = {
  'right password': byPassword(PASSWORD),
  'wrong password': byPassword('Wrong-h0rse!'),
  'right code': byCode(true),
  'wrong code': byCode(false),
} satisfies Record<string, Proof>

type Outcomes = Record<keyof typeof PROOFS, string>

const EVALUATED: Outcomes = {
  'right password': '200',
  'wrong password': '401 E_INVALID_CREDENTIALS',
  'right code': '200',
  'wrong code': '401 E_INVALID_CODE',
}

const LOCKED: Outcomes = {
  'right password': '403 E_ACCOUNT_LOCKED',
  'wrong password': '403 E_ACCOUNT_LOCKED',
  'right code': '403 E_ACCOUNT_LOCKED',
  'wrong code': '403 E_ACCOUNT_LOCKED',
}

const DISABLED: Outcomes = {
  'right password': '403 E_ACCOUNT_DISABLED',
  'wrong password': '401 E_INVALID_CREDENTIALS',
  'right code': '403 E_ACCOUNT_DISABLED',
  'wrong code': '403 E_ACCOUNT_DISABLED',
}

const OF_STRANGERS: Record<keyof typeof STATES, Outcomes> = {
  'free': EVALUATED,
  'locked by failures': LOCKED,
  'locked by an administrator': LOCKED,
  'disabled': DISABLED,
}

const MATRIX: Record<keyof typeof DEVICES, typeof OF_STRANGERS> = {
  'known': { ...OF_STRANGERS, 'locked by failures': EVALUATED },
  'unknown': OF_STRANGERS,
  'withdrawn': OF_STRANGERS,
  'another device’s': OF_STRANGERS,
  'another user’s': OF_STRANGERS,
  'known before a new password': OF_STRANGERS,
}

test.group('Matrix | devices by proof and state', () => {
  const cells = Object.entries(MATRIX).flatMap(([device, states]) =>
    Object.entries(states).flatMap(([state, outcomes]) =>
      Object.entries(outcomes).map(([proof, outcome]) => ({ device, state, proof, outcome }))
    )
  )

  test('{device} device, {state}, {proof}: {outcome}')
    .with(cells)
    .run(async ({ client, assert }, { device, state, proof, outcome }) => {
      const user = await createUser({ isVerified: true })
      const sent = await DEVICES[device](client, user)
      const prove = await PROOFS[proof as keyof typeof PROOFS](client, user, sent)
      await STATES[state](client, user)
      assert.equal(await prove(), outcome)
    })
})
