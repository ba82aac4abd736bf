import { test } from '@japa/runner'
import { cellsHere } from '#tests/support/proved_on'
import { outcomeOf } from './sign_in_methods.ts'
import { ADMIN_CHANGES, isCodeLeft, OWN_CHANGES, PROOFS, prove } from './sensitive_changes.ts'

/*
 | Every sensitive change × every proof. A new change adds its request to the table and its outcome
 | here; a new kind of proof adds its row.
 */

const REFUSED = '403 E_RECENT_LOGIN_REQUIRED'
const WRONG_PASSWORD = '400 E_INCORRECT_PASSWORD'
const WRONG_CODE = '400 E_INVALID_CODE'
const MISSING = '400 E_VALIDATION_ERROR'
const PASSES = null

/** The outcome of each proof. Null if the proof passes. */
const WORTH: Record<keyof typeof PROOFS, string | null> = {
  'an old session': REFUSED,
  'a fresh session': PASSES,
  'the password in an old session': PASSES,
  'a wrong password in a fresh session': WRONG_PASSWORD,
  'a fresh session by passkey': PASSES,
  'an old session by passkey': REFUSED,
  'a passkey as second step': PASSES,
  'a fresh session with code': PASSES,
  'a fresh session from before MFA': REFUSED,
  'an old session with code': REFUSED,
  'the password without its code': REFUSED,
  'the password and a wrong code': WRONG_CODE,
  'a wrong password and its code': WRONG_PASSWORD,
  'the code without its password': REFUSED,
  'the password and its code': PASSES,
  'the password and a backup code': PASSES,
  'a fresh session by provider': PASSES,
  'an old session by provider': REFUSED,
  'a provider that was unlinked': REFUSED,
  'a password that the user lacks': WRONG_PASSWORD,
  'a provider without the code': REFUSED,
  'a provider and the code': PASSES,
}

/** The outcomes of each change after the proof has passed: without and with a second factor. */
const DONE: Record<keyof typeof OWN_CHANGES | keyof typeof ADMIN_CHANGES, [string, string]> = {
  'setting up MFA': ['200', '409 E_MFA_ENABLED'],
  'removing MFA': ['409 E_MFA_NOT_ENABLED', '200'],
  'new backup codes': ['409 E_MFA_NOT_ENABLED', '200'],
  'linking a provider': ['200', '200'],
  'unlinking a provider': ['200', '200'],
  'another e-mail': ['200', '200'],
  'own app metadata': ['200', '200'],
  'another handle': ['200', '200'],
  'another password': ['200', '200'],
  'adding a passkey': ['200', '200'],
  'removing a passkey': ['200', '200'],
  'making an API key': ['201', '201'],
  'revoking an API key': ['200', '200'],
  'the export': ['200', '200'],
  'the export by GET': ['200', '200'],
  'the deletion': ['200', '200'],
  'making an Admin': ['200', '200'],
  'unmaking an Admin': ['200', '200'],
  'creating an Admin': ['201', '201'],
  'inviting an Admin': ['201', '201'],
  'creating a verified user': ['201', '201'],
  'inviting a verified user': ['201', '201'],
  'the e-mail of an Admin': ['200', '200'],
  'the verification of an Admin': ['200', '200'],
  'disabling an Admin': ['200', '200'],
  'locking an Admin': ['200', '200'],
  'deleting an Admin': ['200', '200'],
  'removing a passkey of an Admin': ['200', '200'],
  'resetting the MFA of an Admin': ['200', '200'],
  'a reset mail to an Admin': ['202', '202'],
  'an API key of an Admin': ['201', '201'],
  'unlocking an Admin': ['200', '200'],
  'the e-mail of a user': ['200', '200'],
  'the verification of a user': ['200', '200'],
  'the handle of a user': ['200', '200'],
  'the app metadata of a user': ['200', '200'],
  'a user with a handle': ['201', '201'],
  'a new service account': ['201', '201'],
  'a service account with a handle': ['201', '201'],
  'the name of a service account': ['200', '200'],
  'resetting the MFA of a user': ['200', '200'],
  'a client for a service account': ['201', '201'],
  'a service account for a client': ['200', '200'],
  'a new client': ['201', '201'],
  'pushed requests alone for a client': ['200', '200'],
  'bound tokens alone for a client': ['200', '200'],
  'the name of a client': ['200', '200'],
  'another secret of a client': ['200', '200'],
  'deleting a client': ['200', '200'],
  'a new webhook': ['201', '201'],
  'the address of a webhook': ['200', '200'],
  'another secret of a webhook': ['200', '200'],
  'unsetting a setting': ['200', '200'],
  'changing an external provider': ['200', '200'],
  'deleting an external provider': ['204', '204'],
  'demoting oneself': ['200', '200'],
}

/** A GET request has no body, so that only the session counts as proof. */
const OF_THE_SESSION: Partial<typeof WORTH> = {
  'the password in an old session': REFUSED,
  'a wrong password in a fresh session': PASSES,
  'the password and a wrong code': REFUSED,
  'a wrong password and its code': REFUSED,
  'the password and its code': REFUSED,
  'the password and a backup code': REFUSED,
  'a password that the user lacks': PASSES,
  'a provider and the code': REFUSED,
}

type Change = keyof typeof DONE

function worthOf(change: Change, proof: string) {
  if (change === 'the export by GET' && proof in OF_THE_SESSION) return OF_THE_SESSION[proof]
  const { password, has = 'password' } = PROOFS[proof]
  const lacksPassword = has.startsWith('password') && !password
  return change === 'another password' && lacksPassword ? MISSING : WORTH[proof]
}

function outcomeFor(change: Change, proof: string): string {
  const [without, withMfa] = DONE[change]
  return worthOf(change, proof) ?? (PROOFS[proof].has?.endsWith('MFA') ? withMfa : without)
}

const CHANGES = { ...OWN_CHANGES, ...ADMIN_CHANGES }

const CELLS = (Object.keys(CHANGES) as Change[]).flatMap((change) =>
  Object.keys(PROOFS).map((proof) => ({ change, proof, outcome: outcomeFor(change, proof) }))
)

/** Proofs that every backend tests with each change: one that is refused, and two that pass. */
const PROOFS_OF_ALL = [
  'an old session',
  'the password in an old session',
  'the password and its code',
]

/** Changes that every backend tests with each proof. */
const CHANGES_OF_ALL: Change[] = ['another e-mail', 'another password', 'disabling an Admin']

/**
 * One function judges a proof by the session and the user that the route has read. The change
 * behind the route makes no difference to the store.
 */
const isEverywhere = ({ change, proof }: (typeof CELLS)[number]) =>
  PROOFS_OF_ALL.includes(proof) || CHANGES_OF_ALL.includes(change)

test.group('Matrix | sensitive changes by proof', () => {
  test('{change} with {proof}: {outcome}')
    .with(cellsHere(CELLS, isEverywhere))
    .run(async ({ client, assert }, { change, proof, outcome }) => {
      const prover = await prove(client, PROOFS[proof])
      assert.equal(outcomeOf(await CHANGES[change](prover)), outcome)
      if (!prover.backupCode) return
      const isLeft = await isCodeLeft(prover)
      assert.equal(isLeft, !outcome.startsWith('2'), 'the backup code is left')
    })
})
