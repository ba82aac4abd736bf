import db from '@adonisjs/lucid/services/db'
import { assertBothFactors, type BothFactors, type MfaCaller } from './caller.ts'
import { concludeMfaChange, removeSecondFactor } from './second_factor.ts'

/** Turns multi-factor off for the caller. */
export async function disableMfa(caller: MfaCaller, proof: BothFactors) {
  const user = await assertBothFactors(caller, proof)
  await db.transaction(async (trx) => {
    await removeSecondFactor(user.id, trx)
    await concludeMfaChange({ caller, user, isEnabled: false }, trx)
  })
}
