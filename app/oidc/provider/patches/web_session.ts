import settings from '#config/web_session'
import { authTimeOf } from '#auth/sessions/authentication'
import { findWebCaller } from '#auth/sessions/web_session'
import { acrOf } from '#oidc/tokens/acr'
import { findCurrentUser } from '#oidc/tokens/current_user'
import { COOKIES } from '#oidc/provider/cookies'
import { readsOf } from '#oidc/request_reads'
import type { SessionRecord } from '#auth/store/contract'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 has its own session behind a cookie. Patched, it uses the web session, so that
 * the end of a web session also takes effect here.
 */
export function useWebSession(provider: Provider) {
  const { Session } = provider
  Session.get = async (ctx) => {
    const reads = readsOf(ctx.req)
    const cookie = ctx.cookies.get(settings.cookieName) ?? ''
    reads.caller ??= (await findWebCaller(cookie, Date.now(), findCurrentUser)) ?? undefined
    const { caller } = reads
    const session = new Session(caller ? payloadOf(caller.session) : undefined)
    session.authenticatedAt = caller?.session.authenticatedAt
    /** The library indexes it by the id of a client: `__proto__` must not reach every object. */
    session.authorizations = Object.create(null)
    ctx.oidc.entity('Session', session)
    return session
  }
  withoutCookie(provider)
}

function payloadOf({ id, userId, amr, method, ...times }: SessionRecord) {
  const acr = acrOf({ amr, method })
  return { uid: id, jti: id, accountId: userId, loginTs: authTimeOf(times), amr, acr }
}

function withoutCookie(provider: Provider) {
  provider.use(async ({ res }, next) => {
    await next()
    const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String)
    const kept = cookies.filter((cookie) => !cookie.startsWith(`${COOKIES.session}=`))
    if (kept.length > 0) res.setHeader('set-cookie', kept)
    else res.removeHeader('set-cookie')
  })
}
