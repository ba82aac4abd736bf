import settings from '#config/web_session'
import { findWebCaller } from '#auth/sessions/web_session'
import { acrOf } from './acr.ts'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/**
 * The session of the library is the web session, read from its cookie at each request, and
 * nothing besides: whoever signs out there, or whose session ends anywhere, is signed out here.
 */
export function useWebSession(provider: Provider) {
  const { Session } = provider
  Session.get = async (ctx) => {
    const session = new Session(await payloadOf(ctx))
    ctx.oidc.entity('Session', session)
    return session
  }
  withoutCookie(provider)
}

async function payloadOf(ctx: Context) {
  const caller = await findWebCaller(ctx.cookies.get(settings.cookieName) ?? '')
  if (!caller) return undefined
  const { id, userId, authenticatedAt, amr, method } = caller.session
  const acr = acrOf({ amr, method })
  const loginTs = Math.floor(authenticatedAt / 1_000)
  return { uid: id, jti: id, accountId: userId, loginTs, amr, acr }
}

/** The library would set a cookie of its own for its session, which nothing reads. */
function withoutCookie(provider: Provider) {
  provider.use(async ({ res }, next) => {
    await next()
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.filter((cookie) => !cookie.startsWith('_session='))
    if (kept.length > 0) res.setHeader('set-cookie', kept)
    else res.removeHeader('set-cookie')
  })
}
