import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import cors from '#config/cors'
import lockout from '#config/lockout'
import { SYSTEM } from '#audit/actor'
import { listDevices } from '#auth/devices/list_devices'
import { forgetDeviceAs } from '#auth/devices/forget_device'
import { resetMfa } from '#users/reset_mfa'
import { reportSignIn } from '#users/report_sign_in'
import { endSessions } from '#auth/sessions/sessions'
import { queuePasswordResetMail } from '#mails/queue/queue_link_mails'
import { lockUser, unlockUser } from '#users/lock_user'
import { resetPassword } from '#users/password_recovery'
import {
  bearer,
  clientHeaders,
  createAdmin,
  createUser,
  knownDevice,
  login,
  PASSWORD,
  signedIn,
  someAddress,
} from '#tests/support/fixtures'
import { holdHash } from '#tests/support/held_hash'
import { mailedToken, mailsTo } from '#tests/support/mail'
import { externalCodeOf, giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { TestBrowser } from '../external/browser.ts'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

const WRONG = 'Wrong-h0rse!'
const DAY_MS = 86_400_000

type Device = { deviceId: string; deviceToken?: string }
type Attempt = Omit<Parameters<typeof login>[1], 'password'>

/** Returns the statuses of `times` logins with a wrong password. */
async function fail(client: ApiClient, times: number, { email, ...others }: Attempt) {
  const { address, deviceId, deviceToken } = others
  const answers = []
  for (let count = 0; count < times; count++) {
    const attempt = { email, address, deviceId, deviceToken, password: WRONG }
    answers.push(await login(client, attempt))
  }
  return answers.map((answer) => answer.status())
}

function actionsOf(user: User) {
  return db.from('audit_events').where('target_id', user.id).orderBy('id').select('*')
}

test.group('Known devices | token', () => {
  test('a login with a device id gets a token', async ({ client, assert }) => {
    const { email } = await createUser()
    const [named, bare] = [
      await login(client, { email, deviceId: 'laptop' }),
      await login(client, { email }),
    ]
    assert.match(named.header('x-device-token')!, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.isUndefined(bare.header('x-device-token'))
  })

  test('a refused login gets no token', async ({ client, assert }) => {
    const { email } = await createUser()
    const response = await login(client, { email, password: WRONG, deviceId: 'laptop' })
    assert.isUndefined(response.header('x-device-token'))
  })

  test('a second step gets a token, the first none', async ({ client, assert }) => {
    const user = await createUser()
    const code = await giveSecondFactor(user)
    const first = await login(client, { email: user.email, deviceId: 'laptop' })
    const second = await client
      .post('/auth/mfa/verify')
      .header('x-device-id', 'laptop')
      .json({ mfaToken: first.body().mfaToken, code })
    second.assertStatus(200)
    assert.isUndefined(first.header('x-device-token'))
    assert.isString(second.header('x-device-token'))
  })

  test('an external login gets a token and takes it', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const exchange = async (device: Device) => {
      const code = await externalCodeOf(user)
      const request = client.post('/auth/external/exchange').headers(clientHeaders(device))
      return request.header('x-forwarded-for', someAddress()).json({ code })
    }
    const first = await exchange({ deviceId: 'laptop' })
    const deviceToken = first.header('x-device-token')!
    await fail(client, 5, { email: user.email })
    const known = await exchange({ deviceId: 'laptop', deviceToken })
    const stranger = await exchange({ deviceId: 'laptop' })
    assert.deepEqual([first.status(), known.status(), stranger.status()], [200, 200, 403])
  })

  test('pages of other origins may read a token', ({ assert }) => {
    assert.include(cors.exposeHeaders, 'x-device-token')
    assert.include(cors.headers, 'x-device-token')
  })

  test('an earlier token stays good beside a later', async ({ client }) => {
    const user = await createUser()
    const earlier = await knownDevice(client, user)
    await knownDevice(client, user)
    await fail(client, 5, user)
    const response = await login(client, { email: user.email, ...earlier })
    response.assertStatus(200)
  })

  test('a token is {what} {days} days after its issue')
    .with([
      { days: 179, what: 'good', status: 200 },
      { days: 180, what: 'expired', status: 403 },
    ])
    .run(async ({ client }, { days, status }) => {
      freezeTime()
      const user = await createUser()
      const device = await knownDevice(client, user)
      timeTravel(days * DAY_MS)
      await fail(client, 5, user)
      const response = await login(client, { email: user.email, ...device })
      response.assertStatus(status)
    })

  test('no token is an access or refresh token', async ({ client }) => {
    const { deviceToken } = await knownDevice(client, await createUser())
    const profile = await client.get('/auth/profile').headers(bearer(deviceToken))
    const refreshed = await client.post('/auth/refresh').json({ refreshToken: deviceToken })
    profile.assertStatus(401)
    refreshed.assertStatus(401)
  })

  test('the switch turns off tokens and exemption', async ({ client, assert, cleanup }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    lockout.hasKnownDevices = false
    cleanup(() => void (lockout.hasKnownDevices = true))
    const free = await login(client, { email: user.email, ...device })
    await fail(client, 5, user)
    const locked = await login(client, { email: user.email, ...device })
    assert.isUndefined(free.header('x-device-token'))
    locked.assertStatus(403)
  })
})

test.group('Known devices | counting', () => {
  test('five failures lock the device alone', async ({ client, assert }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    const statuses = await fail(client, 5, { email: user.email, ...device })
    const [known, stranger] = [
      await login(client, { email: user.email, ...device }),
      await login(client, { email: user.email }),
    ]
    assert.deepEqual(statuses, [401, 401, 401, 401, 403])
    known.assertStatus(403)
    assert.isAbove(Number(known.header('retry-after')), 1_700)
    stranger.assertStatus(200)
  })

  test('a locked device is in the trail and unmailed', async ({ client, assert }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    await fail(client, 5, { email: user.email, ...device })
    const events = await actionsOf(user)
    const [locked] = events.filter(({ action }) => action === 'device.locked')
    await user.refresh()
    assert.equal(JSON.parse(locked.details).knownDevice, true)
    assert.isNull(user.lockedUntil)
    const mails = await mailsTo(user.email)
    assert.notInclude(
      mails.map(({ kind }) => kind),
      'account_locked'
    )
  })

  test('failures of strangers outlast the owner’s login', async ({ client, assert }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    const before = await fail(client, 4, user)
    const owner = await login(client, { email: user.email, ...device })
    const after = await fail(client, 1, user)
    owner.assertStatus(200)
    assert.deepEqual([...before, ...after], [401, 401, 401, 401, 403])
  })

  test('a login clears the failures of its device', async ({ client, assert }) => {
    const user = await createUser()
    const device = { email: user.email, ...(await knownDevice(client, user)) }
    const before = await fail(client, 4, device)
    await login(client, device)
    assert.deepEqual([...before, ...(await fail(client, 4, device))], Array(8).fill(401))
  })

  test('sixty wrong passwords at once evaluate five', async ({ client, assert }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    const attempt = { email: user.email, password: WRONG, ...device }
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => login(client, { ...attempt, address: someAddress() }))
    )
    const events = await actionsOf(user)
    const evaluated = events.filter(({ action }) =>
      ['login.failed', 'device.locked'].includes(action)
    )
    assert.isAtMost(evaluated.length, 5)
    assert.isTrue(answers.every((answer) => [401, 403, 429, 503].includes(answer.status())))
  })

  test('strangers at one address leave the throttle', async ({ client, assert }) => {
    const user = await createUser()
    const address = someAddress()
    const device = await knownDevice(client, user)
    const strangers = await fail(client, 6, { email: user.email, address })
    const owner = await login(client, { email: user.email, address, ...device })
    assert.equal(strangers.at(-1), 429)
    owner.assertStatus(200)
  })

  test('an unlock by an administrator frees devices', async ({ client }) => {
    const user = await createUser()
    const device = { email: user.email, ...(await knownDevice(client, user)) }
    await fail(client, 5, device)
    await unlockUser(user.id, SYSTEM)
    const response = await login(client, device)
    response.assertStatus(200)
  })
})

test.group('Known devices | codes', () => {
  test('five wrong codes lock a known device’s codes', async ({ client, assert }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    const right = await giveSecondFactor(user)
    const wrong = right === '000000' ? '111111' : '000000'
    const enter = async (code: string) => {
      const first = await login(client, { email: user.email, ...device })
      const { mfaToken } = first.body()
      const request = client.post('/auth/mfa/verify').header('x-forwarded-for', someAddress())
      return request.headers(clientHeaders(device)).json({ mfaToken, code })
    }
    const statuses = []
    for (let count = 0; count < 5; count++) {
      const answer = await enter(wrong)
      statuses.push(answer.status())
    }
    const locked = await enter(right)
    await user.refresh()
    assert.deepEqual(statuses, [401, 401, 401, 401, 403])
    assert.equal(locked.body().code, 'E_ACCOUNT_LOCKED')
    assert.equal(user.currentLockKind, 'failures')
  })
})

test.group('Known devices | races', () => {
  test('a withdrawal wins over a login that is under way', async ({ client }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    await fail(client, 5, user)
    const held = holdHash('verify', PASSWORD)
    const answer = login(client, { email: user.email, ...device }).send()
    await held.begun
    const [{ id }] = await listDevices(user.id)
    await forgetDeviceAs(user.id, id, SYSTEM)
    held.release()
    const response = await answer
    response.assertStatus(401)
  })

  test('a lock by an administrator wins as well', async ({ client }) => {
    const user = await createUser()
    const device = await knownDevice(client, user)
    const held = holdHash('verify', PASSWORD)
    const answer = login(client, { email: user.email, ...device }).send()
    await held.begun
    await lockUser(user.id, Date.now() + 60_000, SYSTEM)
    held.release()
    const response = await answer
    response.assertStatus(401)
  })
})

test.group('Known devices | list', () => {
  test('the caller lists and withdraws their devices', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const device = await knownDevice(client, user)
    const list = await client.get('/auth/devices').headers(headers)
    const [{ id }] = list.body()
    const removed = await client.delete(`/auth/devices/${id}`).headers(headers)
    const again = await client.delete(`/auth/devices/${id}`).headers(headers)
    const after = await client.get('/auth/devices').headers(headers)
    await fail(client, 5, user)
    const response = await login(client, { email: user.email, ...device })
    list.assertStatus(200)
    assert.lengthOf(list.body(), 1)
    removed.assertStatus(200)
    again.assertStatus(404)
    assert.deepEqual(after.body(), [])
    response.assertStatus(403)
  })

  test('a device of another user is not found', async ({ client }) => {
    const [owner, other] = [await createUser(), await createUser()]
    await knownDevice(client, owner)
    const [{ id }] = await listDevices(owner.id)
    const { headers } = await signedIn(client, other)
    const foreign = await client.delete(`/auth/devices/${id}`).headers(headers)
    const malformed = await client.delete('/auth/devices/1').headers(headers)
    foreign.assertStatus(404)
    malformed.assertStatus(404)
  })

  test('the fifty-first device withdraws the oldest', async ({ client, assert }) => {
    const user = await createUser()
    freezeTime()
    for (let count = 0; count < 51; count++) {
      timeTravel(1_000)
      await login(client, { email: user.email, deviceId: `device-${count}` })
    }
    assert.lengthOf(await listDevices(user.id), 50)
  }).timeout(60_000)

  test('{name} withdraws every device')
    .with([
      { name: '“not me”', change: denySignIn },
      { name: 'a reset of the password', change: resetByMail },
      { name: 'a reset of MFA', change: (user: User) => resetMfa(user.id, SYSTEM) },
    ])
    .run(async ({ client, assert }, { change }) => {
      const user = await createUser({ isVerified: true })
      await knownDevice(client, user)
      await change(user, client)
      assert.deepEqual(await listDevices(user.id), [])
      const rows = await db.from('known_devices').where('user_id', user.id)
      assert.isTrue(rows.every((row) => row.token_id === null))
    })

  async function denySignIn(user: User, client: ApiClient) {
    await signedIn(client, user, { deviceId: 'stranger' })
    const token = await mailedToken(user.email, 'new_device')
    await reportSignIn(token, { ip: '203.0.113.7', userAgent: null })
  }

  async function resetByMail(user: User) {
    const asked = { from: null, budget: null }
    await db.transaction((trx) => queuePasswordResetMail(user.email, asked, trx))
    const token = await mailedToken(user.email, 'password_reset')
    const chosen = { token, password: 'Another-h0rse!', field: 'newPassword' } as const
    await resetPassword(chosen, { ip: '203.0.113.7', userAgent: null })
  }
})

test.group('Known devices | pages', () => {
  function submit(browser: TestBrowser, email: string, password = PASSWORD) {
    return browser.submit('/sign-in', { email, password })
  }

  test('a browser is known by its cookie', async ({ client, assert }) => {
    const admin = await createAdmin()
    const [known, other] = [new TestBrowser(), new TestBrowser()]
    const first = await submit(known, admin.email)
    await endSessions(admin.id)
    await fail(client, 5, admin)
    const cookie = first.headers.getSetCookie().find((each) => each.startsWith('gatehouse_device='))
    const [again, stranger] = [await submit(known, admin.email), await submit(other, admin.email)]
    assert.match(cookie!, /HttpOnly/)
    assert.match(cookie!, /SameSite=Lax/)
    assert.match(cookie!, /Max-Age=15552000/)
    assert.equal(again.status, 303)
    assert.equal(stranger.status, 403)
  })

  /** Signs each user in with the same browser, one after another. */
  async function shareBrowser(users: User[]) {
    const browser = new TestBrowser()
    const sizes: number[] = []
    for (const { id, email } of users) {
      const answer = await submit(browser, email)
      const cookie = answer.headers
        .getSetCookie()
        .find((each) => each.startsWith('gatehouse_device='))
      sizes.push(cookie!.split(';')[0].split('~').length)
      await endSessions(id)
    }
    return { browser, sizes }
  }

  async function statusAfterLockout(browser: TestBrowser, client: ApiClient, user: User) {
    await fail(client, 5, user)
    const { status } = await submit(browser, user.email)
    return status
  }

  test('a second user of a browser leaves the first one known', async ({ client, assert }) => {
    const [first, second] = [await createAdmin(), await createAdmin()]
    const { browser, sizes } = await shareBrowser([first, second, first])
    assert.deepEqual(sizes, [1, 2, 2])
    assert.equal(await statusAfterLockout(browser, client, first), 303)
    await endSessions(first.id)
    assert.equal(await statusAfterLockout(browser, client, second), 303)
  })

  test('a browser knows the five users who came last', async ({ client, assert }) => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createAdmin()))
    const { browser, sizes } = await shareBrowser(users)
    assert.deepEqual(sizes, [1, 2, 3, 4, 5, 5])
    assert.equal(await statusAfterLockout(browser, client, users[0]), 403)
    assert.equal(await statusAfterLockout(browser, client, users[1]), 303)
  })

  test('a cookie of anything else is no obstacle', async ({ assert }) => {
    for (const value of ['~', 'a~b', '~'.repeat(1_000), 'x'.repeat(3_000)]) {
      const browser = new TestBrowser()
      browser.keep(`gatehouse_device=${value}`)
      const { email } = await createAdmin()
      const { status } = await submit(browser, email)
      assert.equal(status, 303)
    }
  })
})
