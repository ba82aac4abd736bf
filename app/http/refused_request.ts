import type { HttpContext } from '@adonisjs/core/http'
import { recordCoalesced } from '#events/record'
import { actorOf } from './request_source.ts'

/** Refusals are recorded because the caller may have stolen the session. */
const TYPES = {
  E_INCORRECT_PASSWORD: 'password.incorrect',
  E_INVALID_CODE: 'mfa.incorrect_code',
  E_MFA_SUSPENDED: 'mfa.code_refused',
  E_RECENT_LOGIN_REQUIRED: 'reauthentication.required',
  E_FORBIDDEN: 'access.denied',
  E_MFA_ENROLMENT_REQUIRED: 'access.denied',
  E_INSUFFICIENT_SCOPE: 'access.denied',
} as const

/** API and pages pass every refusal here, so that no check forgets the event. */
export async function recordRefusedRequest(ctx: HttpContext, code: string) {
  const type = TYPES[code as keyof typeof TYPES]
  const caller = type && callerOf(ctx)
  if (!caller) return
  const { id } = caller.user
  const route = ctx.route ? `${ctx.request.method()} ${ctx.route.pattern}` : null
  const actor = actorOf(ctx)
  // A refused access concerns no user: the id in its path may not belong to any.
  const user = type === 'access.denied' ? null : { id }
  const event = { type, user, actor, outcome: 'failure' as const, details: { route } }
  /** All users of a client share one actor name, so the id tells them apart. */
  await recordCoalesced(event, [actor.name, id]).catch((error) =>
    ctx.logger.error({ err: error }, 'a refusal was not recorded')
  )
}

/** Not `getUserOrFail`: a request without a session is refused as well. */
function callerOf({ auth }: HttpContext) {
  return auth?.use('api').user ?? auth?.use('web').user
}
