import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/web_session'
import tokens from '#config/tokens'

/*
 | An attacker may find an open console, so it asks for reauthentication after half an hour without a
 | request, and after twelve hours. The encrypted cookie notes the last request; a stolen copy of it
 | expires.
 */

interface ConsoleUse {
  sessionId: string
  at: number
}

const KEY = 'console'

function lastUse({ session }: HttpContext, sessionId: string) {
  const use: ConsoleUse | undefined = session.get(KEY)
  return use?.sessionId === sessionId ? use.at : 0
}

/** A sign-in at a provider opens the console, however old it is there; changes require more. */
export function hasConsoleReauthentication(ctx: HttpContext, now = Date.now()) {
  const { session } = ctx.auth.use('web').getUserOrFail()
  const provedAt = Math.max(session.authenticatedAt, session.createdAt)
  const usedAt = Math.max(lastUse(ctx, session.id), provedAt)
  const isIdle = now - usedAt > settings.consoleIdleMs
  return !isIdle && now - provedAt <= settings.consoleReauthenticationMs
}

/** Does not note every request, because its response may overtake a parallel one. */
export function noteConsoleUse(ctx: HttpContext, now = Date.now()) {
  const { session } = ctx.auth.use('web').getUserOrFail()
  if (now - lastUse(ctx, session.id) < tokens.touchIntervalMs) return
  ctx.session.put(KEY, { sessionId: session.id, at: now } satisfies ConsoleUse)
}
