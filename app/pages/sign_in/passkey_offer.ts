import type { HttpContext } from '@adonisjs/core/http'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'
import type { SignedIn } from '#auth/sign_in/result'

/** The script reveals the offer where passkeys can work. */
const FLASH = 'passkeyOffer'

const COOKIE = cookieName('passkey_offered')

/** Offers a passkey only one time in a browser, because a passkey is made for a device. */
export function offerPasskey(ctx: HttpContext, { user, session }: SignedIn, next: string) {
  const isWanted = session.method === 'password' && !user.hasPasskey
  if (!isWanted || ctx.request.plainCookie(COOKIE, { encoded: false })) return
  const options = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const
  ctx.response.plainCookie(COOKIE, '1', { ...options, encode: false, maxAge: '1y' })
  const base = next.startsWith('/admin') ? '/admin/account' : '/account'
  ctx.session.flash(FLASH, `${base}/security#passkeys`)
}
