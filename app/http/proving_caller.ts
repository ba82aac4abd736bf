import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_UNAUTHORIZED } from '#auth/errors'
import type { ProvingCaller } from '#auth/mfa/reauthentication'
import type { Proof } from '#auth/mfa/verify_proof'
import { hasRecentProof } from '#auth/mfa/recent_proof'
import { actorOf } from './request_source.ts'
import type { Actor } from '#audit/actor'

/** The caller of the API or the console with the proof of their request, for a change of their own. */
export function provingCallerOf(ctx: HttpContext, proof: Proof): ProvingCaller {
  const caller = ctx.auth.use('api').user ?? ctx.auth.use('web').getUserOrFail()
  const { user, session } = caller
  return { userId: user.id, sessionId: session.id, actor: actorOf(ctx), proof }
}

/**
 * The caller of the API as the actor of a change of another user, who may be an administrator.
 * An API key or an application proves nothing of its user.
 *
 * @throws what `hasRecentProof` throws for a wrong proof; the change itself refuses a missing one
 */
export async function provenActorOf(ctx: HttpContext, proof: Proof): Promise<Actor> {
  const caller = provingCallerOf(ctx, proof)
  const user = await User.find(caller.userId)
  if (!user) throw new E_UNAUTHORIZED()
  return { ...caller.actor, hasRecentProof: await hasRecentProof(user, caller) }
}
