import db from '@adonisjs/lucid/services/db'
import { finishErasures } from './erasure.ts'
import { endFloods } from './end_floods.ts'
import { deleteOldMonths } from './person_keys.ts'
import { removeOldEvents } from './retention.ts'
import { sealPending } from './sealer.ts'

/**
 * What the trail needs now and then: floods that have ended become events, what a killed
 * process left is sealed, and the keys of old guesses and old events go. Returns how many
 * rows that concerned.
 *
 * @throws where the chain was tampered with, once everything else is done
 */
export async function maintainTrail(now: number) {
  const floods = await endFloods(now)
  const months = await deleteOldMonths(db.connection(), now)
  const erasures = await finishErasures()
  await sealPending()
  return floods + months + erasures + (await removeOldEvents(now))
}
