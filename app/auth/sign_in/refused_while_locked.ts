import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { countCoalesced, recordCoalesced } from '#events/record'
import { hashEmail } from '#auth/lockout/count_keys'
import { addressCause, exceedsFailureEvents } from '#auth/lockout/failure_events'
import { E_ACCOUNT_LOCKED, E_MFA_SUSPENDED } from '#auth/errors'
import type { Device } from '#auth/sessions/device'

interface Attempt {
  email: string
  /** `password`, or the name of the provider. */
  method: string
  device: Device
}

/**
 * Tells the user that guesses go on; one of them may be right.
 * An unknown address takes the same steps: the time must not tell an attacker which exist.
 */
export async function orRecordLocked<T>(attempt: Attempt, step: () => T | Promise<T>) {
  try {
    return await step()
  } catch (error) {
    if (error instanceof E_ACCOUNT_LOCKED) await recordRefused(attempt, 'locked')
    if (error instanceof E_MFA_SUSPENDED) await recordRefused(attempt, 'suspended')
    throw error
  }
}

async function recordRefused({ email, method, device }: Attempt, reason: 'locked' | 'suspended') {
  const user = await db.from('users').where('email', email).select('id').first()
  const actor = anonymousActor(device)
  const event = { type: 'login.refused', actor, outcome: 'failure' } as const
  const cause = [reason, hashEmail(email)]
  if (await countCoalesced(event.type, cause)) return
  if (await exceedsFailureEvents(actor)) {
    const ofAddress = [...addressCause(actor), method, reason]
    return recordCoalesced({ ...event, user: null, details: { method, reason } }, ofAddress)
  }
  return recordCoalesced({ ...event, user, details: { email, method, reason } }, cause)
}
