import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import { addUser } from '#users/add_user'
import { setPassword } from '#users/change_password'
import { resendInvitation, revokeInvitation } from '#users/invitations'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'

const STEPS = {
  'sent again': resendInvitation,
  'revoked': revokeInvitation,
}

test.group('Invitations | accepted meanwhile', () => {
  test('one that is {name} leaves the user alone')
    .with(Object.entries(STEPS).map(([name, step]) => ({ name, step })))
    .run(async ({ assert }, { step }) => {
      const invited = await addUser({ email: someEmail(), username: 'Grace' }, SYSTEM)
      const { id } = invited
      const held = holdTransaction()
      /** Runs outside the stack of the test, whose own transactions are not held. */
      const outcome = Promise.resolve()
        .then(step.bind(null, invited, SYSTEM))
        .then(
          () => 'done',
          ({ code }) => code
        )
      await held.begun
      const user = await User.findOrFail(id)
      await setPassword(user, PASSWORD, { actor: SYSTEM })
      held.release()
      assert.equal(await outcome, 'E_NOT_FOUND')
      const after = await User.findOrFail(id)
      assert.isNotNull(after.password)
    })
})
