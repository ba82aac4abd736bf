import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_UNAUTHORIZED } from '#auth/errors'
import type { Reauthentication } from '#auth/mfa/reauthentication'
import type { PasswordAndCode } from '#auth/mfa/verify_code'
import { hasRecentAuthentication } from '#auth/mfa/recent_authentication'
import { actorOf } from './request_source.ts'
import type { Actor } from '#audit/actor'

const usedCodes = new WeakMap<HttpContext, () => Promise<void>>()

export function reauthenticationOf(
  ctx: HttpContext,
  credentials: PasswordAndCode
): Reauthentication {
  const caller = ctx.auth.use('api').user ?? ctx.auth.use('web').getUserOrFail()
  const { user, session } = caller
  const onCodeUsed = (release: () => Promise<void>) => void usedCodes.set(ctx, release)
  const actor = actorOf(ctx)
  return { userId: user.id, sessionId: session.id, actor, credentials, onCodeUsed }
}

/** Releases the correct code of a request that was refused later. API and pages call it. */
export async function releaseUsedCode(ctx: HttpContext) {
  const release = usedCodes.get(ctx)
  usedCodes.delete(ctx)
  await release?.().catch((error) =>
    ctx.logger.error({ err: error }, 'the backup code of a refused request stays used')
  )
}

/** API keys and applications cannot do this. @throws what `hasRecentAuthentication` throws */
export async function reauthenticatedActorOf(
  ctx: HttpContext,
  credentials: PasswordAndCode
): Promise<Actor> {
  const caller = reauthenticationOf(ctx, credentials)
  const user = await User.find(caller.userId)
  if (!user) throw new E_UNAUTHORIZED()
  return { ...caller.actor, hasRecentAuthentication: await hasRecentAuthentication(user, caller) }
}
