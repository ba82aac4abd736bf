import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { hashEmail } from '#auth/lockout/count_keys'
import store from '#auth/store/service'
import { createUser, knownDevice } from '#tests/support/fixtures'
import { attemptOf } from '#tests/support/store_state'
import { failAt } from './late_redis.ts'
import {
  after,
  afterFailures,
  afterLock,
  byAdmin,
  byCodes,
  byFailures,
  byPasskey,
  byReset,
  entering,
  type Begin,
  type Change,
} from './lock_changes.ts'
import type { ScriptName } from '#auth/store/redis/scripts'
import type User from '#models/user'

/*
 | Every change of a lock in Redis × a Redis that is lost before the change, or runs it and answers
 | late. The change is refused along with its event and mail, and no guess gets through.
 */

/** The statuses after the refusal: a login, the same change sent again, and another login. */
type Answers = [login: number, again: number, login: number]

interface Row {
  script: ScriptName
  begin: Begin
  /** Whether the lock that the refused change has set is undone. */
  isUndone?: boolean
  lost: Answers
  late: Answers
}

const ROWS: Record<string, Row> = {
  'a lock by wrong passwords': {
    script: 'gatehouseLockAttempts',
    begin: byFailures(async () => ({})),
    lost: [429, 429, 429],
    late: [403, 403, 403],
  },
  'a lock of a known device': {
    script: 'gatehouseLockAttempts',
    begin: byFailures(knownDevice),
    lost: [429, 429, 429],
    late: [403, 403, 403],
  },
  'a lock by wrong codes': {
    script: 'gatehouseLockAttempts',
    begin: byCodes,
    lost: [429, 429, 429],
    late: [403, 403, 403],
  },
  'a lock by an administrator': {
    script: 'gatehouseLockAttempts',
    begin: byAdmin('lock', entering),
    isUndone: true,
    lost: [200, 200, 403],
    late: [200, 200, 403],
  },
  'a lock by an administrator over failures': {
    script: 'gatehouseClearAttempts',
    begin: byAdmin('lock', afterFailures),
    lost: [403, 200, 403],
    late: [403, 200, 403],
  },
  'the end of a lock by an administrator': {
    script: 'gatehouseClearAttempts',
    begin: byAdmin('unlock', afterLock),
    lost: [403, 200, 200],
    late: [403, 200, 200],
  },
  'the end of a lock by failures': {
    script: 'gatehouseClearAttempts',
    begin: byAdmin('unlock', afterFailures),
    lost: [403, 200, 200],
    late: [403, 200, 200],
  },
  // Only Redis stores this lock.
  'the end of a lock of a device': {
    script: 'gatehouseClearAttempts',
    begin: byAdmin('unlock', after(byFailures(knownDevice))),
    lost: [403, 200, 200],
    late: [200, 200, 200],
  },
  'the end of a lock by wrong codes': {
    script: 'gatehouseClearAttempts',
    begin: byAdmin('unlock', after(byCodes)),
    lost: [403, 200, 200],
    late: [403, 200, 200],
  },
  'a reset by mail after failures': {
    script: 'gatehouseClearAttempts',
    begin: byReset,
    lost: [403, 200, 401],
    late: [403, 200, 401],
  },
  'a passkey after failures': {
    script: 'gatehouseClearAttempts',
    begin: byPasskey,
    lost: [403, 200, 200],
    late: [403, 200, 200],
  },
}

/** Returns the state that a refused change leaves unchanged. */
async function stateOf({ id, email }: User) {
  const row = await db.from('users').where('id', id).first()
  const events = await db.from('audit_events').where('target_id', id).select('action').orderBy('id')
  const mails = await db.from('mails').where('recipient', email).select('kind').orderBy('id')
  const { locked_until: until, lock_kind: kind, mfa_locked_until: codesUntil } = row
  return { until, kind, codesUntil, events, mails }
}

const CELLS = Object.keys(ROWS).flatMap((name) => [
  { name, fault: 'lost' as const },
  { name, fault: 'late' as const },
])

/** Requests that may need the lock of a refused change before it is undone. */
const OTHERS: Record<string, (change: Change, countKey: string) => PromiseLike<unknown>> = {
  'the same change': ({ send }) => send(),
  'a lock by failures': (_, countKey) => {
    const now = Date.now()
    return store.lockAttempts(countKey, { until: now + 60_000, now })
  },
}

test.group('Matrix | locks of a late Redis', (group) => {
  group.tap((each) => each.skip(env.get('STORE') !== 'redis', 'a database rolls back'))

  test('{name} is refused while Redis is {fault}')
    .with(CELLS)
    .run(async ({ client, assert }, { name, fault }) => {
      const user = await createUser()
      const { script, begin, isUndone, ...answers } = ROWS[name]
      const { send, enter } = await begin(client, user)
      const before = await stateOf(user)
      const { end, undone } = await failAt(script, fault, user)
      const refused = await send()
      await end()
      if (isUndone) await undone
      assert.deepEqual(await stateOf(user), before)
      const given = [await enter(), await send(), await enter()]
      assert.equal(refused.status(), 503)
      assert.deepEqual(
        given.map((response) => response.status()),
        answers[fault]
      )
    })

  test('{$self} keeps a lock that is to be undone')
    .with(Object.keys(OTHERS))
    .run(async ({ client, assert }, name) => {
      const user = await createUser()
      const change = await byAdmin('lock', entering)(client, user)
      const { end, undone } = await failAt('gatehouseLockAttempts', 'late', user)
      const refused = await change.send()
      await end()
      await OTHERS[name](change, hashEmail(user.email))
      await undone
      const { outcome } = await attemptOf(hashEmail(user.email))
      assert.equal(refused.status(), 503)
      assert.equal(outcome, 'locked')
    })
})
