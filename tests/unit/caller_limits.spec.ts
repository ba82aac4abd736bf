import { test } from '@japa/runner'
import { anonymousActor, clientActor, keyActor, SYSTEM, userActor, type Actor } from '#audit/actor'
import { assertMay, SENSITIVE_CHANGES, type SensitiveChange } from '#auth/callers/permissions'

/* The table of limits as its readers know it, which reveals a mistake in the table. */

const HERE = { ip: '198.51.100.1', userAgent: null }
const USER = userActor('01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604', HERE)

/** With proofs as well: a proof that a request should not have must allow nothing. */
const CALLERS: Record<string, Actor> = {
  'a user': { ...USER, hasRecentAuthentication: true },
  'an old session': USER,
  'an application': clientActor('grafana', { ...USER, hasRecentAuthentication: true }),
  'an API key': keyActor('key', { ...USER, hasRecentAuthentication: true }),
  'an operator': { ...SYSTEM, name: 'cli:root' },
  'the system': SYSTEM,
  'a visitor': anonymousActor(HERE),
}

/** Changes that need no recent authentication of a user. */
const AT_ANY_TIME: SensitiveChange[] = [
  'user.first_role',
  'user.administrator_profile',
  'user.sign_in_methods',
  'api_key.revoke',
  'group.settings',
  'group.members',
  'group.own_members',
  'webhook.settings',
]

const BY_KEYS: SensitiveChange[] = [
  'group.settings',
  'group.members',
  'group.access',
  'webhook.settings',
  'webhook.address',
  'webhook.secret',
]

function expected(caller: string, change: SensitiveChange) {
  if (caller === 'a visitor') return 'E_UNAUTHORIZED'
  const isDelegated = ['an application', 'an API key'].includes(caller)
  const isOpen =
    change === 'client.settings' || (caller === 'an API key' && BY_KEYS.includes(change))
  if (isDelegated) return isOpen ? null : 'E_INSUFFICIENT_SCOPE'
  const isOld = caller === 'an old session' && !AT_ANY_TIME.includes(change)
  return isOld ? 'E_RECENT_LOGIN_REQUIRED' : null
}

function refusalOf(change: SensitiveChange, actor: Actor) {
  try {
    assertMay(change, actor)
    return null
  } catch (error) {
    return error.code
  }
}

const CELLS = Object.keys(CALLERS).flatMap((caller) =>
  SENSITIVE_CHANGES.map((change) => ({ caller, change, outcome: expected(caller, change) }))
)

test.group('Caller limits', () => {
  test('{change} by {caller}: {outcome}')
    .with(CELLS)
    .run(({ assert }, { caller, change, outcome }) => {
      assert.equal(refusalOf(change, CALLERS[caller]), outcome)
    })
})
