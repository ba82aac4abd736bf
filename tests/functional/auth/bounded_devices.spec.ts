import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import lockout from '#config/lockout'
import { pruneExpired } from '#maintenance/prune_expired'
import { trackDevice } from '#auth/devices/remember_device'
import { listSeenDevices } from '#auth/devices/list_devices'
import { createUser, signedIn } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

const rowsOf = (id: string) => db.from('known_devices').where('user_id', id)

const see = (id: string, fingerprint: string) =>
  db.transaction((trx) => trackDevice(id, fingerprint, trx))

async function mailedDevices(email: string) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.filter(({ kind }) => kind === 'new_device').length
}

test.group('Remembered devices', () => {
  test('of {seen} networks are {kept}')
    .with([
      { seen: limits.knownDevices - 1, kept: limits.knownDevices - 1 },
      { seen: limits.knownDevices, kept: limits.knownDevices },
      { seen: limits.knownDevices + 1, kept: limits.knownDevices },
    ])
    .run(async ({ assert }, { seen, kept }) => {
      const { id } = await createUser()
      for (let number = 0; number < seen; number++) {
        timeTravel(1_000)
        assert.isTrue(await see(id, `network ${number}`))
      }
      assert.lengthOf(await rowsOf(id), kept)
      assert.lengthOf(await listSeenDevices(id), kept)
      assert.isFalse(await see(id, `network ${seen - 1}`))
      assert.equal(await see(id, 'network 0'), seen > limits.knownDevices)
    })

  test('that are in use are kept, however old', async ({ assert }) => {
    const { id } = await createUser()
    await see(id, 'home')
    for (let number = 0; number < limits.knownDevices; number++) {
      timeTravel(1_000)
      await see(id, 'home')
      await see(id, `network ${number}`)
    }
    assert.isFalse(await see(id, 'home'))
  })

  test('of several sign-ins at once stay within the limit', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const ids = Array.from({ length: limits.knownDevices }, (_, number) => `network ${number}`)
    for (const id of ids) await see(user.id, id)
    const attempts = Array.from({ length: 4 }, (_, index) => ({ deviceId: `device-${index}` }))
    await Promise.all(attempts.map((attempt) => signedIn(client, user, attempt)))
    assert.lengthOf(await rowsOf(user.id), limits.knownDevices)
  })

  test('go at the end of their life', async ({ assert }) => {
    const { id } = await createUser()
    await see(id, 'home')
    const [{ expires_at: expiresAt }] = await rowsOf(id)
    assert.closeTo(Number(expiresAt), Date.now() + lockout.deviceTtlMs, 60_000)
    await pruneExpired(Number(expiresAt) - 1)
    assert.lengthOf(await rowsOf(id), 1)
    await pruneExpired(Number(expiresAt))
    assert.lengthOf(await rowsOf(id), 0)
  })

  test('are new again after it, before they are removed', async ({ assert }) => {
    const { id } = await createUser()
    await see(id, 'home')
    await rowsOf(id).update({ expires_at: Date.now() })
    assert.isTrue(await see(id, 'home'))
    assert.isFalse(await see(id, 'home'))
  })

  test('that were all forgotten do not hide a new one', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    await signedIn(client, user, { userAgent: CHROME })
    assert.equal(await mailedDevices(user.email), 0)
    await rowsOf(user.id).delete()
    await signedIn(client, user, { userAgent: FIREFOX })
    assert.equal(await mailedDevices(user.email), 1)
  })
})
