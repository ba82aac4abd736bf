import { test } from '@japa/runner'
import Identity from '#models/identity'
import { createUser, keyOf, PASSWORD, someEmail } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { sendOverSignIn } from '../account/left_form.ts'
import { person } from '../account/person.ts'
import { giveSecondFactor } from './sign_in_methods.ts'
import type { Authentication } from '#auth/sessions/authentication'
import type User from '#models/user'

/*
 | Sensitive changes by the account pages × how the session was proved. A change that is not
 | proved shows the page that asks who it is (403). A new change adds its form here, a new kind
 | of proof its row.
 */

type Fields = Record<string, string>

const KEY = { 'name': 'Report', 'days': '30', 'scopes[]': 'profile:read' }

/** Each change: its form, and the status of a successful change without and with MFA. */
interface Change {
  form: (user: User) => [path: string, fields?: Fields] | Promise<[path: string, fields?: Fields]>
  done: [without: number, withMfa: number]
}

const CHANGES: Record<string, Change> = {
  'another address': { form: () => ['/address', { email: someEmail() }], done: [303, 303] },
  'another handle': { form: ({ id }) => ['/handle', { handle: `h${id}` }], done: [303, 303] },
  'setting up MFA': { form: () => ['/security/mfa/setup'], done: [200, 409] },
  'new backup codes': { form: () => ['/security/mfa/codes'], done: [409, 303] },
  'removing MFA': { form: () => ['/security/mfa/disable'], done: [409, 303] },
  'linking a provider': { form: () => ['/security/providers/github/link'], done: [200, 200] },
  'unlinking a provider': { form: unlinking, done: [303, 303] },
  'making an API key': { form: () => ['/security/api-keys', KEY], done: [303, 303] },
  'revoking an API key': { form: revoking, done: [303, 303] },
  'the export': { form: () => ['/data/export'], done: [200, 200] },
  'the deletion': { form: () => ['/data/delete', { confirm: 'true' }], done: [200, 200] },
}

async function unlinking(user: User): Promise<[string]> {
  await linkIdentity(user, 'hostile')
  return ['/security/providers/hostile/unlink']
}

async function revoking(user: User): Promise<[string]> {
  const { id } = await keyOf(user)
  return [`/security/api-keys/${id}/revoke`]
}

function linkIdentity({ id: userId }: User, provider: string) {
  const subject = `${provider}-${userId}`
  return Identity.create({ userId, provider, issuer: 'https://idp.example', subject })
}

interface Proof {
  session: Authentication
  isOld?: boolean
  hasMfa?: boolean
  /** Signs in only by the provider `acme`, which is linked unless it was unlinked. */
  provider?: 'linked' | 'unlinked'
  /** Whether the form was sent before the sign-in: another person may have filled it in. */
  isLeft?: boolean
  passes: boolean
}

const PWD: Authentication = { method: 'password', amr: ['pwd'] }
const MFA: Authentication = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
const ACME: Authentication = { method: 'acme', amr: [] }
const ACME_MFA: Authentication = { method: 'acme', amr: ['otp', 'mfa'] }

const PROOFS: Record<string, Proof> = {
  'a fresh session': { session: PWD, passes: true },
  'an old session': { session: PWD, isOld: true, passes: false },
  'a fresh session that began after it': { session: PWD, isLeft: true, passes: false },
  'a fresh session with code': { session: MFA, hasMfa: true, passes: true },
  'an old session with code': { session: MFA, hasMfa: true, isOld: true, passes: false },
  'a fresh session from before MFA': { session: PWD, hasMfa: true, passes: false },
  'a fresh session by provider': { session: ACME, provider: 'linked', passes: true },
  'an old session by provider': {
    session: ACME,
    provider: 'linked',
    isOld: true,
    passes: false,
  },
  'a provider that was unlinked': { session: ACME, provider: 'unlinked', passes: false },
  'a provider without the code': {
    session: ACME,
    provider: 'linked',
    hasMfa: true,
    passes: false,
  },
  'a provider and the code': { session: ACME_MFA, provider: 'linked', hasMfa: true, passes: true },
}

const CELLS = Object.entries(CHANGES).flatMap(([change, { done }]) =>
  Object.entries(PROOFS).map(([proof, { passes, hasMfa }]) => ({
    change,
    proof,
    status: passes ? done[hasMfa ? 1 : 0] : 403,
  }))
)

/** What a browser carries through a sign-in is the same for every store. */
const isEverywhere = ({ proof }: (typeof CELLS)[number]) => !PROOFS[proof].isLeft

async function userOf({ hasMfa, provider }: Proof) {
  const user = await createUser({ password: provider ? null : PASSWORD })
  if (provider === 'linked') await linkIdentity(user, 'acme')
  if (hasMfa) await giveSecondFactor(user)
  return user
}

test.group('Matrix | account changes by proof', () => {
  test('{change} in {proof}: {status}')
    .with(cellsHere(CELLS, isEverywhere))
    .run(async ({ assert }, { change, proof, status }) => {
      const user = await userOf(PROOFS[proof])
      const { browser } = await person({ user, ...PROOFS[proof] })
      const [path, fields] = await CHANGES[change].form(user)
      const sent = PROOFS[proof].isLeft
        ? sendOverSignIn({ browser, user }, `/account${path}`, fields)
        : browser.submit('/account', fields, `/account${path}`)
      const response = await sent
      assert.equal(response.status, status, await response.text())
    })
})
