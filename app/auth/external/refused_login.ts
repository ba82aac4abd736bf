import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { isFirstRefusal } from '#auth/lockout/throttle'
import { E_EXTERNAL_DENIED, E_EXTERNAL_LOGIN_FAILED, E_EXTERNAL_STATE } from '#auth/errors'
import { reasonOf } from './provider_fault.ts'
import { providerNames } from './providers.ts'
import type { Origin } from '#auth/sessions/device'

/** Refusals of a callback that an attack may have caused, as the trail names them. */
const REASONS = new Map<unknown, string>([
  [E_EXTERNAL_STATE, 'state'],
  [E_EXTERNAL_LOGIN_FAILED, 'unverified_answer'],
  [E_EXTERNAL_DENIED, 'denied'],
])

/**
 * Records an external login that was refused before its user was known. The first of a
 * minute for each provider and reason is enough to notice an attack: anybody can send such
 * callbacks, and must not be able to flood the trail with them.
 */
export async function recordRefusedLogin(provider: string, error: any, from: Origin) {
  const reason = REASONS.get(error?.constructor)
  if (!reason || !providerNames.includes(provider)) return
  if (!(await isFirstRefusal(provider, reason))) return
  const details = { method: provider, reason, ...causeOf(error) }
  const actor = anonymousActor(from)
  await db.transaction((trx) =>
    recordAudit(
      { action: 'login.refused', actor, targetId: null, outcome: 'failure', details },
      trx
    )
  )
}

function causeOf(error: InstanceType<typeof E_EXTERNAL_LOGIN_FAILED>) {
  const cause = reasonOf(error)
  return cause ? { cause } : {}
}
