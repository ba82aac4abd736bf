import db from '@adonisjs/lucid/services/db'
import { finishErasures } from '#audit/privacy/erasure'
import { endWindows } from '#audit/trail/end_coalescing'
import { deleteOldMonths } from '#audit/privacy/month_keys'
import { removeOldEvents } from '#audit/chain/retention'
import { sealPending } from '#audit/chain/sealer'

/** @throws if the chain was tampered with, after everything else is done */
export async function maintainTrail(now: number) {
  const coalesced = await endWindows(now)
  const months = await deleteOldMonths(db.connection(), now)
  const erasures = await finishErasures()
  await sealPending()
  return coalesced + months + erasures + (await removeOldEvents(now))
}
