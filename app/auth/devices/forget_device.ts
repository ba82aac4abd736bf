import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import { record } from '#events/record'
import { forgetDevices } from './known_devices.ts'
import { listDevices } from './list_devices.ts'
import type { Actor } from '#audit/actor'

/** Ends no sessions. Returns false and records no event if the user has no such device. */
export async function forgetDeviceAs(userId: string, id: string, actor: Actor) {
  if (!isUuid(id)) return false
  const devices = await listDevices(userId)
  const device = devices.find((each) => each.id === id)
  return db.transaction(async (trx) => {
    if ((await forgetDevices(userId, { token_id: id }, trx)) === 0) return false
    const details = { device: device?.deviceName ?? null }
    await record(trx, { type: 'device.withdrawn', user: { id: userId }, actor, details })
    return true
  })
}
