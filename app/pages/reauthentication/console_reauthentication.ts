import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/web_session'
import tokens from '#config/tokens'

/*
 | A session outlives a working day, and the console must not stand open for as long: it asks
 | for a fresh proof after half an hour without a request to it, and after twelve hours. The
 | last request is noted in the encrypted cookie of the browser, which nobody can forge; a
 | copy of it that was stolen ages while the browser it came from is used.
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

/**
 * Whether the proof of the session opens the console. A fresh proof is a use. A sign-in at a
 * provider opens it too, however long ago the provider asked: changes ask for more.
 */
export function hasConsoleProof(ctx: HttpContext, now = Date.now()) {
  const { session } = ctx.auth.use('web').getUserOrFail()
  const provedAt = Math.max(session.authenticatedAt, session.createdAt)
  const usedAt = Math.max(lastUse(ctx, session.id), provedAt)
  const isIdle = now - usedAt > settings.consoleIdleMs
  return !isIdle && now - provedAt <= settings.consoleProofMs
}

/** Notes a request to the console. Not each one: its answer may overtake that of a request beside it. */
export function noteConsoleUse(ctx: HttpContext, now = Date.now()) {
  const { session } = ctx.auth.use('web').getUserOrFail()
  if (now - lastUse(ctx, session.id) < tokens.touchIntervalMs) return
  ctx.session.put(KEY, { sessionId: session.id, at: now } satisfies ConsoleUse)
}
