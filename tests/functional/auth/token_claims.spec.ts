import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import limits from '#config/limits'
import mfa from '#config/mfa'
import { SYSTEM } from '#audit/actor'
import { updateUser } from '#users/update_user'
import { warningsOf } from '#tests/support/refusals'
import { createAdmin, createUser, decodeClaims, signedIn } from '#tests/support/fixtures'
import { memberOf, newGroup, refreshed, setClaims, statusOf } from './claimed_tokens.ts'

const OWN = ['aud', 'email', 'exp', 'iat', 'iss', 'jti', 'role', 'sub']

test.group('TOKEN_CLAIMS | values', (group) => {
  group.each.teardown(() => setClaims({}))

  test('an access token has nothing more while it is unset', async ({ client, assert }) => {
    const { accessToken } = await signedIn(client, await createUser())
    assert.sameMembers(Object.keys(decodeClaims(accessToken)), OWN)
  })

  test('each source is in the tokens of login and refresh', async ({ client, assert }) => {
    const tag = `t${randomUUID()}`
    const [staff, other] = [await newGroup(tag), await newGroup('Other')]
    const user = await memberOf(other, staff)
    const appMetadata = { plan: { seats: 3, tags: ['x'] } }
    await updateUser(user.id, { appMetadata, nickname: 'Countess' }, SYSTEM)
    setClaims({
      'uid': 'id',
      'mail': 'email',
      'name': 'nickname',
      'preferred_username': 'username',
      'roles': 'role',
      'https://example.org/teams': `groups:${tag}`,
      'groups': 'groups',
      'seats': 'appMetadata.plan.seats',
      'plan': 'appMetadata.plan',
      'missing': 'appMetadata.plan.color',
      'inherited': 'appMetadata.plan.toString',
      'env': '=prod',
    })
    const expected = {
      'uid': user.id,
      'mail': user.email,
      'name': 'Countess',
      'preferred_username': user.username,
      'roles': 'User',
      'https://example.org/teams': [staff.name],
      'groups': [other.name, staff.name],
      'seats': 3,
      'plan': appMetadata.plan,
      'env': 'prod',
    }
    const { accessToken, refreshToken } = await signedIn(client, user)
    const { claims, headers } = await refreshed(client, refreshToken)
    for (const found of [decodeClaims(accessToken), claims]) {
      assert.sameMembers(Object.keys(found), [...OWN, ...Object.keys(expected), 'claims_hash'])
      assert.containsSubset(found, { ...expected, sub: user.id, email: user.email, role: 'User' })
    }
    assert.equal(await statusOf(client, headers), 200)
  })

  test('a session with one factor names no administrator', async ({ client, assert }) => {
    setClaims({ roles: 'role' })
    mfa.isRequiredOfAdmins = true
    try {
      const { accessToken } = await signedIn(client, await createAdmin())
      assert.containsSubset(decodeClaims(accessToken), { role: 'User', roles: 'User' })
    } finally {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('a sign-in reads what is so then', async ({ client, assert }) => {
    setClaims({ plan: 'appMetadata.plan' })
    const user = await createUser()
    await updateUser(user.id, { appMetadata: { plan: 'pro' } }, SYSTEM)
    const { accessToken, headers } = await signedIn(client, user)
    assert.equal(decodeClaims(accessToken).plan, 'pro')
    assert.equal(await statusOf(client, headers), 200)
  })
})

test.group('TOKEN_CLAIMS | sizes', (group) => {
  group.each.teardown(() => setClaims({}))

  test('a {length} of {size} is {outcome}')
    .with([
      { length: 'text', size: limits.claimText - 1, outcome: 'kept' },
      { length: 'text', size: limits.claimText, outcome: 'kept' },
      { length: 'text', size: limits.claimText + 1, outcome: 'left out' },
      { length: 'list', size: limits.claimList - 1, outcome: 'kept' },
      { length: 'list', size: limits.claimList, outcome: 'kept' },
      { length: 'list', size: limits.claimList + 1, outcome: 'left out' },
    ])
    .run(async ({ client, assert }, { length, size, outcome }) => {
      const user = await createUser()
      const long = length === 'text' ? 'x'.repeat(size) : Array(size).fill(1)
      await updateUser(user.id, { appMetadata: { long } }, SYSTEM)
      const name = `long_${randomUUID()}`
      setClaims({ [name]: 'appMetadata.long', short: '=x' })
      const lines = await warningsOf(async () => {
        const { accessToken } = await signedIn(client, user)
        const claims = decodeClaims(accessToken)
        assert.deepEqual(claims[name], outcome === 'kept' ? long : undefined)
        assert.equal(claims.short, 'x')
        await signedIn(client, user)
      })
      const named = lines.filter(({ claim }) => claim === name)
      assert.lengthOf(named, outcome === 'kept' ? 0 : 1)
    })

  test('a token of the greatest size can be revoked by its text', async ({ client, assert }) => {
    const list = Array.from({ length: 15 }, () => 'x'.repeat(limits.claimText))
    const user = await createUser()
    await updateUser(user.id, { appMetadata: { list } }, SYSTEM)
    setClaims({ list: 'appMetadata.list' })
    const { accessToken, headers } = await signedIn(client, user)
    const revocation = client.post('/auth/revoke').headers(headers)
    await revocation.json({ token: accessToken })
    assert.equal(await statusOf(client, headers), 401)
  })

  test('{bytes} bytes of JSON fit into {limit}: {fits}')
    .with(
      [limits.claimBytes, limits.cookieClaimBytes].flatMap((limit) => [
        { limit, bytes: limit - 1, fits: true },
        { limit, bytes: limit, fits: true },
        { limit, bytes: limit + 1, fits: false },
      ])
    )
    .run(async ({ client, assert }, { limit, bytes, fits }) => {
      const many = Array.from({ length: Math.floor(limit / 250) }, () => 'é'.repeat(120))
      const length = Buffer.byteLength(JSON.stringify({ list: [...many, ''] }))
      const list = [...many, 'x'.repeat(bytes - length)]
      const user = await createUser()
      await updateUser(user.id, { appMetadata: { list } }, SYSTEM)
      setClaims({ list: 'appMetadata.list', short: '=x' }, limit)
      const { accessToken } = await signedIn(client, user)
      const claims = decodeClaims(accessToken)
      // If the list fits, there is no room for another claim.
      assert.equal('list' in claims, fits)
      assert.equal('short' in claims, !fits)
    })
})
