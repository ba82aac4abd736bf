import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { sample } from '#auth/store/redis/session_count'
import store from '#auth/store/service'
import { insertUser } from '#users/insert_user'
import { createUser, someEmail } from '#tests/support/fixtures'
import type { TokenReference } from '#auth/store/contract'
import { reference, someSession } from './samples.ts'

/*
 | What every driver of the store guarantees. The suite knows only the contract, and tests the
 | driver that `STORE` names.
 */

const HOUR = 3_600_000

const NEW_USER = { email: someEmail(), username: 'Ada' }

async function isActiveAt(token: TokenReference, at = Date.now()) {
  const { isActive } = await store.tokenStatus(token, at)
  return isActive
}

async function createUserId() {
  const { id } = await createUser()
  return id
}

test.group('Store | token status', () => {
  test('active for a token of a live session', async ({ assert }) => {
    const user = await User.findOrFail(await createUserId())
    const session = someSession(user.id)
    await store.startSession(session, 50)
    const tokenStatus = await store.tokenStatus(reference(session), session.createdAt)
    assert.deepEqual(tokenStatus, {
      isActive: true,
      userVersion: user.versionId,
      lastActivityAt: session.lastActivityAt,
    })
  })

  test('inactive for an unknown session', async ({ assert }) => {
    const session = someSession(await createUserId())
    const tokenStatus = await store.tokenStatus(reference(session), Date.now())
    assert.deepEqual(tokenStatus, { isActive: false })
  })

  test('inactive under the id of another user', async ({ assert }) => {
    const [user, other] = [await createUser(), await createUser()]
    const session = someSession(user.id)
    await store.startSession(session, 50)
    const token = { ...reference(session), userId: other.id }
    assert.isFalse(await isActiveAt(token))
    assert.isTrue(await isActiveAt(reference(session)))
  })

  test('active though another session was named for it', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    assert.isFalse(await isActiveAt({ ...reference(session), sessionId: randomUUID() }))
    assert.isTrue(await isActiveAt(reference(session)))
  })

  test('is {isActive} {name} the end of the session')
    .with([
      { name: 'a millisecond before', offset: -1, isActive: true },
      { name: 'at', offset: 0, isActive: false },
      { name: 'a millisecond after', offset: 1, isActive: false },
    ])
    .run(async ({ assert }, { offset, isActive }) => {
      const session = someSession(await createUserId())
      await store.startSession(session, 50)
      const at = session.expiresAt + offset
      assert.equal(await isActiveAt(reference(session), at), isActive)
      assert.equal(Boolean(await store.findSession(session.userId, session.id, at)), isActive)
      assert.lengthOf(await store.listSessions(session.userId, at), isActive ? 1 : 0)
    })

  test('names the new version of a changed user', async ({ assert }) => {
    const user = await createUser()
    const session = someSession(user.id)
    await store.startSession(session, 50)
    await store.tokenStatus(reference(session), Date.now())
    await user.merge({ nickname: 'Countess' }).save()
    await user.refresh()
    const tokenStatus = await store.tokenStatus(reference(session), Date.now())
    assert.equal(tokenStatus.isActive && tokenStatus.userVersion, user.versionId)
  })

  test('names another version for a user who is added again', async ({ assert }) => {
    const user = await createUser()
    const session = someSession(user.id)
    const versions = new Set<string>()
    for (let count = 1; count <= 3; count++) {
      await db.from('users').where('id', user.id).delete()
      await db.transaction((trx) => insertUser({ id: user.id, ...NEW_USER }, null, trx))
      await store.startSession(session, 50)
      const tokenStatus = await store.tokenStatus(reference(session), Date.now())
      versions.add(tokenStatus.isActive ? tokenStatus.userVersion : 'inactive')
    }
    assert.lengthOf([...versions], 3)
    assert.notInclude([...versions], 'inactive')
  })

  test('gives a change that was lost and made again another version', async ({ assert }) => {
    const user = await createUser()
    const versions = new Set<string>()
    for (let count = 1; count <= 3; count++) {
      const trx = await db.transaction()
      await trx.from('users').where('id', user.id).update({ nickname: 'Countess' })
      const { version_id: version } = await trx.from('users').where('id', user.id).first()
      await trx.rollback()
      versions.add(version)
    }
    assert.lengthOf([...versions], 3)
  })
})

test.group('Store | starting sessions', () => {
  test('replaces a session of the same device', async ({ assert }) => {
    const user = await createUser()
    const [first, second] = [1, 2].map(() => someSession(user.id, { deviceId: 'phone' }))
    await store.startSession(first, 50)
    await store.startSession(second, 50)
    const sessions = await store.listSessions(user.id, Date.now())
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [second.id]
    )
  })

  test('leaves one of many parallel logins of a device', async ({ assert }) => {
    const user = await createUser()
    const sessions = Array.from({ length: 8 }, () => someSession(user.id, { deviceId: 'tv' }))
    await Promise.all(sessions.map((session) => store.startSession(session, 50)))
    assert.lengthOf(await store.listSessions(user.id, Date.now()), 1)
  })

  test('keeps {kept} of {started} under a limit of three')
    .with([
      { started: 2, kept: 2 },
      { started: 3, kept: 3 },
      { started: 4, kept: 3 },
    ])
    .run(async ({ assert }, { started, kept }) => {
      const user = await createUser()
      const sessions = Array.from({ length: started }, (_, index) =>
        someSession(user.id, { createdAt: Date.now() + index })
      )
      for (const session of sessions) await store.startSession(session, 3)
      const listed = await store.listSessions(user.id, Date.now())
      assert.sameMembers(
        listed.map(({ id }) => id),
        sessions.slice(-kept).map(({ id }) => id)
      )
    })

  test('an expired session pushes out no live one', async ({ assert }) => {
    const user = await createUser()
    const now = Date.now()
    const first = someSession(user.id, { createdAt: now })
    const expired = [1, 2, 3].map((later) =>
      someSession(user.id, { createdAt: now + later, expiresAt: now - 1 })
    )
    const last = someSession(user.id, { createdAt: now + 4 })
    for (const session of [first, ...expired, last]) await store.startSession(session, 3)
    const listed = await store.listSessions(user.id, now)
    assert.sameMembers(
      listed.map(({ id }) => id),
      [first.id, last.id]
    )
  })

  test('gives back what was stored', async ({ assert }) => {
    const session = someSession(await createUserId(), { userAgent: null })
    await store.startSession(session, 50)
    assert.deepEqual(await store.findSession(session.userId, session.id, Date.now()), session)
  })

  test('lists the most recently active first', async ({ assert }) => {
    const user = await createUser()
    const [first, second] = [someSession(user.id), someSession(user.id)]
    await store.startSession(first, 50)
    await store.startSession(second, 50)
    await store.touchSession(user.id, first.id, first.lastActivityAt + HOUR)
    const listed = await store.listSessions(user.id, Date.now())
    assert.deepEqual(
      listed.map(({ id }) => id),
      [first.id, second.id]
    )
  })
})

test.group('Store | touching and rotating', () => {
  test('a proof renews the authentication of a session', async ({ assert }) => {
    const session = someSession(await createUserId(), { method: 'acme', amr: [] })
    await store.startSession(session, 50)
    const key = { userId: session.userId, sessionId: session.id }
    const proof = { amr: ['pwd', 'otp', 'mfa'], at: session.authenticatedAt + 1 }
    const isNoted = await store.reauthenticateSession(key, proof)
    const found = await store.findSession(session.userId, session.id, Date.now())
    assert.isTrue(isNoted)
    assert.deepEqual(found, { ...session, amr: proof.amr, authenticatedAt: proof.at })
  })

  test('a proof revives no session that has ended', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    await store.endSession(session.userId, session.id)
    const key = { userId: session.userId, sessionId: session.id }
    const proof = { amr: ['pwd'], at: Date.now() }
    assert.isFalse(await store.reauthenticateSession(key, proof))
    assert.isNull(await store.findSession(session.userId, session.id, Date.now()))
  })

  test('a rotation keeps the authentication of a session', async ({ assert }) => {
    const session = someSession(await createUserId(), { authenticatedAt: 1, amr: ['pwd'] })
    await store.startSession(session, 50)
    const key = { userId: session.userId, sessionId: session.id }
    const rotation = { current: session.refreshHash, next: 'n'.repeat(43), at: Date.now() }
    await store.rotateRefresh(key, rotation)
    const found = await store.findSession(session.userId, session.id, Date.now())
    assert.containsSubset(found, { authenticatedAt: 1, amr: ['pwd'], method: 'password' })
  })

  test('never sets the last activity back', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    await store.touchSession(session.userId, session.id, session.lastActivityAt - 1)
    const found = await store.findSession(session.userId, session.id, Date.now())
    assert.equal(found!.lastActivityAt, session.lastActivityAt)
  })

  test('does not revive an ended session', async ({ assert }) => {
    const session = someSession(await createUserId())
    const rotation = { current: session.refreshHash, next: 'n'.repeat(43), at: Date.now() }
    await store.startSession(session, 50)
    await store.endSession(session.userId, session.id)
    await store.touchSession(session.userId, session.id, Date.now() + 1)
    const owner = { userId: session.userId, sessionId: session.id }
    assert.isFalse(await store.rotateRefresh(owner, rotation))
    assert.isNull(await store.findSession(session.userId, session.id, Date.now()))
    assert.deepEqual(await store.tokenStatus(reference(session), Date.now()), { isActive: false })
  })

  test('lets one of many rotate the same token', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    const owner = { userId: session.userId, sessionId: session.id }
    const rotations = Array.from({ length: 12 }, (_, index) =>
      store.rotateRefresh(owner, {
        current: session.refreshHash,
        next: String(index).padStart(43, 'x'),
        at: session.createdAt + index,
      })
    )
    const outcomes = await Promise.all(rotations)
    const wins = outcomes.flatMap((isWinner, index) => (isWinner ? [index] : []))
    assert.lengthOf(wins, 1)
    const found = await store.findSession(session.userId, session.id, Date.now())
    assert.containsSubset(found, {
      refreshHash: String(wins[0]).padStart(43, 'x'),
      previousRefreshHash: session.refreshHash,
      rotatedAt: session.createdAt + wins[0],
    })
  })
})

test.group('Store | ending sessions', () => {
  test('tells one of many that it ended a session', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    const ends = Array.from({ length: 8 }, () => store.endSession(session.userId, session.id))
    const outcomes = await Promise.all(ends)
    assert.lengthOf(outcomes.filter(Boolean), 1)
  })

  test('tells the client and the expiry of what ended', async ({ assert }) => {
    const user = await createUser()
    const clients = ['grafana', null, 'wiki']
    const started = clients.map((clientId) => someSession(user.id, { clientId }))
    for (const session of started) await store.startSession(session, 50)
    const [first, ...others] = started.map(({ id, clientId, expiresAt }) => ({
      id,
      clientId,
      expiresAt,
    }))
    assert.deepEqual(await store.endSession(user.id, first.id), first)
    assert.sameDeepMembers(await store.endSessions(user.id, {}), others)
    assert.deepEqual(await store.endSessions(user.id, {}), [])
  })

  test('tells what a start has ended', async ({ assert }) => {
    const user = await createUser()
    const [one, other] = [1, 2].map((createdAt) =>
      someSession(user.id, { clientId: `c${createdAt}`, createdAt })
    )
    const ended = [await store.startSession(one, 1), await store.startSession(other, 1)]
    assert.deepEqual(ended, [[], [{ id: one.id, clientId: 'c1', expiresAt: one.expiresAt }]])
  })

  test('ends no session under the id of another user', async ({ assert }) => {
    const [user, other] = [await createUser(), await createUser()]
    const session = someSession(user.id)
    await store.startSession(session, 50)
    assert.isNull(await store.endSession(other.id, session.id))
    assert.isTrue(await isActiveAt(reference(session)))
  })

  test('ends all but one and counts them', async ({ assert }) => {
    const user = await createUser()
    const sessions = [someSession(user.id), someSession(user.id), someSession(user.id)]
    for (const session of sessions) await store.startSession(session, 50)
    assert.lengthOf(await store.endSessions(user.id, { except: sessions[1].id }), 2)
    const listed = await store.listSessions(user.id, Date.now())
    assert.deepEqual(
      listed.map(({ id }) => id),
      [sessions[1].id]
    )
    assert.lengthOf(await store.endSessions(user.id, {}), 1)
  })

  test('ends those that a method started or proved', async ({ assert }) => {
    const user = await createUser()
    const proofs = [['pwd'], ['pwd', 'hwk', 'user', 'mfa'], ['swk', 'user', 'mfa'], ['pwd', 'hwkx']]
    const sessions = proofs.map((amr) => someSession(user.id, { amr }))
    const started = someSession(user.id, { method: 'passkey', amr: ['pwd'] })
    for (const session of [...sessions, started]) await store.startSession(session, 50)
    const ended = await store.endSessions(user.id, { method: 'passkey', amr: ['hwk', 'swk'] })
    const expected = [sessions[1].id, sessions[2].id, started.id]
    assert.sameMembers(
      ended.map(({ id }) => id),
      expected
    )
  })

  test('the store ends sessions by method, except one', async ({ assert }) => {
    const user = await createUser()
    const [kept, ended] = [1, 2].map(() => someSession(user.id, { method: 'acme' }))
    const other = someSession(user.id, { method: 'password' })
    for (const session of [kept, ended, other]) await store.startSession(session, 50)
    const which = { except: kept.id, method: 'acme' }
    assert.lengthOf(await store.endSessions(user.id, which), 1)
    assert.isFalse(await isActiveAt(reference(ended)))
    assert.isTrue(await isActiveAt(reference(kept)))
    assert.isTrue(await isActiveAt(reference(other)))
  })
})

test.group('Store | revoked tokens', () => {
  test('refuses the one token and no other', async ({ assert }) => {
    const session = someSession(await createUserId())
    await store.startSession(session, 50)
    const [revoked, other] = [reference(session), reference(session)]
    assert.isTrue(await store.revokeToken(revoked, Date.now() + HOUR))
    assert.isFalse(await isActiveAt(revoked))
    assert.isTrue(await isActiveAt(other))
  })

  test('revokes nothing of an ended session', async ({ assert }) => {
    const session = someSession(await createUserId())
    assert.isFalse(await store.revokeToken(reference(session), Date.now() + HOUR))
  })
})

test.group('Store | sessions of all users', () => {
  test('pages list each session once', async ({ assert }) => {
    const user = await createUser()
    const started = [someSession(user.id), someSession(user.id), someSession(user.id)]
    for (const session of started) await store.startSession(session, 50)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await store.scanSessions({ cursor, limit: 2, now: Date.now() })
      seen.push(...page.sessions.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor)
    assert.includeMembers(
      seen,
      started.map(({ id }) => id)
    )
    assert.lengthOf(new Set(seen), seen.length)
  })

  test('are counted while they live', async ({ assert, cleanup }) => {
    const { keys } = sample
    cleanup(() => void (sample.keys = keys))
    sample.keys = Infinity
    const user = await createUser()
    const before = await store.countSessions(Date.now())
    const [live, ended] = [someSession(user.id), someSession(user.id)]
    await store.startSession(live, 50)
    await store.startSession(ended, 50)
    assert.equal(await store.countSessions(Date.now()), before + 2)
    await store.endSession(user.id, ended.id)
    assert.equal(await store.countSessions(Date.now()), before + 1)
  })

  test('start over at a cursor that is none: {$self}')
    .with([`${randomUUID()}'`, '0-18446744073709551616', '0-99999999999999999999'])
    .run(async ({ assert }, cursor) => {
      const session = someSession(await createUserId())
      await store.startSession(session, 50)
      const { sessions } = await store.scanSessions({ cursor, limit: 100, now: Date.now() })
      assert.isNotEmpty(sessions)
    })
})
