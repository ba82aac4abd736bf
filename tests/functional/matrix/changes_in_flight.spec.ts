import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import {
  ADMIN_CHANGES,
  isCodeLeft,
  OWN_CHANGES,
  PLAIN_CHANGES,
  PROOFS,
  prove,
  type Prover,
} from './sensitive_changes.ts'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import { addUser } from '#users/add_user'
import { someEmail } from '#tests/support/fixtures'
import { visitor } from './console_visitor.ts'
import { ENDS } from './session_ends.ts'
import { outcomeOf } from './sign_in_methods.ts'
import { cellsHere } from '#tests/support/proved_on'
import { holdTransaction } from '#tests/support/held_transaction'

/*
 | Every change × every end of the session that requests it, at a moment when the request has passed
 | all checks and has written nothing. A new change adds its request to `sensitive_changes.ts`, a
 | new end its function to `session_ends.ts`.
 */

const REFUSED = '401 E_TOKEN_REVOKED'

/** They return what the caller continues with, and change nothing. */
const CHANGES_NOTHING = ['linking a provider', 'adding a passkey']

const CHANGES = { ...OWN_CHANGES, ...ADMIN_CHANGES, ...PLAIN_CHANGES }

/** The proof of a change. The default is the password in an old session. */
const PROOF_OF: Partial<Record<string, keyof typeof PROOFS>> = {
  'removing MFA': 'the password and its code',
  'new backup codes': 'the password and its code',
  'the export by GET': 'a fresh session',
}

const CELLS = Object.keys(CHANGES)
  .filter((change) => !CHANGES_NOTHING.includes(change))
  .flatMap((change) =>
    Object.keys(ENDS).map((end) => ({ change: change as keyof typeof CHANGES, end }))
  )

/** What a change leaves behind: an event, or a secret that waits for its code. */
async function tracesOf({ user }: Prover) {
  const events = await db.from('audit_events').where('actor_id', user.id).count('* as total')
  const secrets = await db.from('mfa_enrolments').where('user_id', user.id)
  return [Number(events[0].total), secrets]
}

test.group('Matrix | changes in flight by end of session', () => {
  test('{change} is refused after {end}')
    .with(CELLS)
    .run(async ({ client, assert }, { change, end }) => {
      const prover = await prove(
        client,
        PROOFS[PROOF_OF[change] ?? 'the password in an old session']
      )
      const ending = await ENDS[end](prover)
      const held = holdTransaction()
      const response = CHANGES[change](prover)
      await held.begun
      await ending()
      const before = await tracesOf(prover)
      held.release()
      assert.equal(outcomeOf(await response), REFUSED)
      assert.deepEqual(await tracesOf(prover), before)
    })
})

const CODE_CELLS = [...Object.keys(OWN_CHANGES), ...Object.keys(ADMIN_CHANGES)]
  .filter((change) => ![...CHANGES_NOTHING, 'the export by GET'].includes(change))
  .map((change) => ({ change: change as keyof typeof CHANGES }))

/** One function each uses and releases the code, whatever the refused change is. */
const isEverywhere = ({ change }: (typeof CODE_CELLS)[number]) => change === 'another e-mail'

test.group('Matrix | changes in flight by a backup code', () => {
  test('{change} that is refused leaves the code')
    .with(cellsHere(CODE_CELLS, isEverywhere))
    .run(async ({ client, assert }, { change }) => {
      const prover = await prove(client, PROOFS['the password and a backup code'])
      const ending = await ENDS['the end of the session'](prover)
      const held = holdTransaction()
      const response = CHANGES[change](prover)
      await held.begun
      await ending()
      const used = await db.from('mfa_backup_codes').where({ user_id: prover.user.id })
      held.release()
      const outcome = outcomeOf(await response)
      assert.lengthOf(
        used.filter(({ used_at: usedAt }) => usedAt !== null),
        1
      )
      assert.equal(outcome, REFUSED)
      assert.isTrue(await isCodeLeft(prover))
    })
})

/** Only the console has these forms. Another session of the administrator sends them. */
const INVITATION_CELLS = ['revoke', 'resend'].flatMap((form) =>
  Object.keys(ENDS).map((end) => ({ form, end }))
)

test.group('Matrix | forms of an invitation in flight', () => {
  test('{form} is refused after {end}')
    .with(INVITATION_CELLS)
    .run(async ({ client, assert }, { form, end }) => {
      const prover = await prove(client, PROOFS['the password in an old session'])
      const { submit } = await visitor(prover.user, { amr: ['pwd'] })
      const { id } = await addUser({ email: someEmail(), username: 'Grace' }, SYSTEM)
      const ending = await ENDS[end](prover)
      const held = holdTransaction()
      const answer = submit(`/admin/users/${id}/invitation/${form}`)
      await held.begun
      await ending()
      const before = await tracesOf(prover)
      held.release()
      const { status } = await answer
      assert.equal(status, 401)
      assert.isNotNull(await User.find(id))
      assert.deepEqual(await tracesOf(prover), before)
    })
})
