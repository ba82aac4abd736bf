import { randomUUID } from 'node:crypto'
import { PASSWORD, someEmail } from '#tests/support/users'
import { LOST_COMMIT } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

/** Returns the status of a response, followed by the code if it is an error. */
export function outcomeOf({ status, body }: { status: number; body: any }) {
  return body?.code ? `${status} ${body.code}` : String(status)
}

export type Credentials = { email: string; password: string; username: string }

/** Registers a user. */
export async function register({ product }: Installation, username = 'Ada') {
  const credentials = { email: someEmail(), password: PASSWORD, username }
  const { body } = await product.request('/auth/register', { body: credentials })
  return { ...credentials, id: body.id as string }
}

export function signIn({ product }: Installation, body: { email: string; password: string }) {
  return product.ask('/auth/login', { body })
}

/** A user who signs in by password after a change by an administrator. */
function person(kept: string, change: (at: Installation, id: string) => Promise<unknown>) {
  return {
    kept,
    async make(at) {
      const user = await register(at)
      await change(at, user.id)
      return async (elsewhere) => {
        const answer = await signIn(elsewhere, user)
        const { role, emailVerified } = await elsewhere.asAdmin(`/users/${user.id}`)
        return [outcomeOf(answer), role, emailVerified && 'verified'].filter(Boolean).join(' ')
      }
    },
  } satisfies StoredKind
}

const put = (body: object) => (at: Installation, id: string) =>
  at.asAdmin(`/users/${id}`, { method: 'PUT', body })

/** Half a year, so that no test moves the clock past it. */
const lock = (at: Installation, id: string) => {
  const until = new Date(Date.now() + 180 * 86_400_000).toISOString()
  return at.asAdmin(`/users/${id}/lock`, { body: { until } })
}

const mustChangePassword: StoredKind = {
  kept: '403 E_PASSWORD_CHANGE_REQUIRED',
  async make(at) {
    const user = { email: someEmail(), password: PASSWORD, mustChangePassword: true }
    await at.asAdmin('/users', { body: user })
    return async (elsewhere) => outcomeOf(await signIn(elsewhere, user))
  },
}

const withoutPassword: StoredKind = {
  kept: '401 E_INVALID_CREDENTIALS, unused',
  async make(at) {
    const email = someEmail()
    const { id } = await at.asAdmin('/users', { body: { email, invite: true } })
    return async (elsewhere) => {
      const answer = await signIn(elsewhere, { email, password: PASSWORD })
      const { lastLoginAt } = await elsewhere.asAdmin(`/users/${id}`)
      return `${outcomeOf(answer)}, ${lastLoginAt ? 'used' : 'unused'}`
    }
  },
}

const hostileNames: StoredKind = {
  kept: 'kept',
  async make(at) {
    const names = { username: '=HYPERLINK("x"), "q";\'', nickname: "Zoë 𝒜 \u{1F600}, O'Neil" }
    const { id } = await register(at)
    await put(names)(at, id)
    return async (elsewhere) => {
      const { username, nickname } = await elsewhere.asAdmin(`/users/${id}`)
      const isKept = username === names.username && nickname === names.nickname
      return isKept ? 'kept' : JSON.stringify({ username, nickname })
    }
  },
}

const withMetadata: StoredKind = {
  kept: 'kept',
  async make(at) {
    const [metadata, appMetadata] = [{ note: 'Zoë, "q"' }, { plan: ['pro', { seats: 3 }] }]
    const { id } = await register(at)
    await put({ metadata, appMetadata })(at, id)
    return async (elsewhere) => {
      const found = await elsewhere.asAdmin(`/users/${id}`)
      const all = JSON.stringify([found.metadata, found.appMetadata])
      return all === JSON.stringify([metadata, appMetadata]) ? 'kept' : all
    }
  },
}

const serviceAccount: StoredKind = {
  kept: 'service worker Admin',
  async make(at) {
    const body = { kind: 'service', username: 'worker', role: 'Admin' }
    const { id } = await at.asAdmin('/users', { body })
    return async (elsewhere) => {
      const { kind, username, role, email } = await elsewhere.asAdmin(`/users/${id}`)
      return [kind, username, role, email].filter(Boolean).join(' ')
    }
  },
}

const disabledServiceAccount: StoredKind = {
  kept: 'disabled',
  unrevoked: { outcome: 'enabled', because: LOST_COMMIT },
  async make(at) {
    const { id } = await at.asAdmin('/users', { body: { kind: 'service', username: 'retired' } })
    return {
      revoke: () => put({ disabled: true })(at, id),
      async prove(elsewhere) {
        const { disabled } = await elsewhere.asAdmin(`/users/${id}`)
        return disabled ? 'disabled' : 'enabled'
      },
    }
  },
}

const deleted: StoredKind = {
  kept: '401 E_INVALID_CREDENTIALS',
  unrevoked: { outcome: '200', because: LOST_COMMIT },
  async make(at) {
    const user = await register(at)
    return {
      revoke: () => at.asAdmin(`/users/${user.id}`, { method: 'DELETE' }),
      prove: async (elsewhere) => outcomeOf(await signIn(elsewhere, user)),
    }
  },
}

const someHandle = () => `n${randomUUID().slice(0, 13)}`

const withHandle: StoredKind = {
  kept: 'kept, in use',
  async make(at) {
    const [{ id }, handle] = [await register(at), someHandle()]
    await put({ handle })(at, id)
    return async (elsewhere) => {
      const { handle: found } = await elsewhere.asAdmin(`/users/${id}`)
      const namesake = await handleOfNamesake(elsewhere, handle)
      return `${found === handle ? 'kept' : found}, ${namesake === handle ? 'free' : 'in use'}`
    }
  },
}

const handleOfDeletedUser: StoredKind = {
  kept: 'in use',
  imported: { outcome: 'free', because: 'an export has no deleted users' },
  async make(at) {
    const handle = someHandle()
    const { id } = await register(at, handle)
    return {
      revoke: () => at.asAdmin(`/users/${id}`, { method: 'DELETE' }),
      prove: async (elsewhere) =>
        (await handleOfNamesake(elsewhere, handle)) === handle ? 'free' : 'in use',
    }
  },
}

/** Returns the handle of a new user who registers with this name, and deletes the user. */
async function handleOfNamesake(at: Installation, name: string) {
  const { id } = await register(at, name)
  const { handle } = await at.asAdmin(`/users/${id}`)
  await at.asAdmin(`/users/${id}`, { method: 'DELETE' })
  return handle as string
}

/** A member of a group, proved by what an application would learn. */
const member: StoredKind = {
  kept: 'Staff',
  async make(at) {
    const { id: userId } = await register(at)
    const name = `Staff ${randomUUID()}`
    await at.asAdmin('/groups', { body: { name } })
    await at.asAdmin(`/users/${userId}/groups`, { method: 'PUT', body: { groups: [name] } })
    return async (elsewhere) => {
      const { groups } = await elsewhere.asAdmin(`/users/${userId}/groups`)
      return groups.join() === name ? 'Staff' : `groups: ${groups.join()}`
    }
  },
}

/** After the deletion, the user is in no group, whatever is restored. */
const memberOfDeletedGroup: StoredKind = {
  kept: 'no group',
  async make(at) {
    const { id: userId } = await register(at)
    const { id } = await at.asAdmin('/groups', { body: { name: `Staff ${randomUUID()}` } })
    await at.asAdmin(`/groups/${id}/members/${userId}`, { method: 'PUT' })
    await at.asAdmin(`/groups/${id}`, { method: 'DELETE' })
    return async (elsewhere) => {
      const { groups } = await elsewhere.asAdmin(`/users/${userId}/groups`)
      return groups.join() || 'no group'
    }
  },
}

export const USERS: Record<string, StoredKind> = {
  'user with a password': person('200 User', async () => {}),
  'verified user': person('200 User verified', put({ emailVerified: true })),
  'administrator': person('200 Admin', put({ role: 'Admin' })),
  'user with an extra role': person('200 Editor', put({ role: 'Editor' })),
  'disabled user': person('403 E_ACCOUNT_DISABLED User', put({ disabled: true })),
  'user whom an administrator locked': person('403 E_ACCOUNT_LOCKED User', lock),
  'user with a password to be changed': mustChangePassword,
  'user without a password': withoutPassword,
  'user with a name of formulas, quotes and emoji': hostileNames,
  'user with metadata': withMetadata,
  'service account': serviceAccount,
  'disabled service account': disabledServiceAccount,
  'deleted user': deleted,
  'user with a handle': withHandle,
  'handle of a deleted user': handleOfDeletedUser,
  'member of a group': member,
  'member of a deleted group': memberOfDeletedGroup,
}
