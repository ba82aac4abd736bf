import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_UNAUTHORIZED } from '#auth/errors'
import type { ProvingCaller } from '#auth/mfa/reauthentication'
import type { Proof } from '#auth/mfa/verify_proof'
import { hasRecentProof } from '#auth/mfa/recent_proof'
import { actorOf } from './request_source.ts'
import type { Actor } from '#audit/actor'

export function provingCallerOf(ctx: HttpContext, proof: Proof): ProvingCaller {
  const caller = ctx.auth.use('api').user ?? ctx.auth.use('web').getUserOrFail()
  const { user, session } = caller
  return { userId: user.id, sessionId: session.id, actor: actorOf(ctx), proof }
}

/** An API key or an application cannot reauthenticate its user. @throws what `hasRecentProof` throws */
export async function provenActorOf(ctx: HttpContext, proof: Proof): Promise<Actor> {
  const caller = provingCallerOf(ctx, proof)
  const user = await User.find(caller.userId)
  if (!user) throw new E_UNAUTHORIZED()
  return { ...caller.actor, hasRecentProof: await hasRecentProof(user, caller) }
}
