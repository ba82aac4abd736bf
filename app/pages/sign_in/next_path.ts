import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import hostedPages from '#config/hosted_pages'

const MAX_LENGTH = 2_048

/** Excludes what browsers drop or read as a slash: tabs, line breaks, backslashes. */
const LOCAL_PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/**
 * The start of an external login asks before another site replaces a session, and would not ask after
 * a page of this site. No page is below these paths.
 */
const OF_API = /^\/(api|auth)(\/|%2f)/i

/** After the sign-in, a link from another site would look like one of ours (`isCrossOrigin`). */
const EXPORT = /^\/admin\/users\.csv\/*$/i

/** The account, or the console with `HOSTED_PAGES=off`. */
export function homePath() {
  return hostedPages.isOn ? '/account' : '/admin'
}

/** The page must be within this site: an open redirect would help phishing. */
export function nextPath(next: unknown) {
  return localPath(next) ?? homePath()
}

function localPath(next: unknown) {
  if (typeof next !== 'string' || next.length > MAX_LENGTH || !LOCAL_PATH.test(next)) return null
  const { origin } = new URL(appUrl)
  const url = URL.parse(next, origin)
  // `/.//evil.example` is a path of this origin until its dot is removed.
  if (url?.origin !== origin || !LOCAL_PATH.test(url.pathname)) return null
  const path = decoded(url.pathname)
  if (OF_API.test(path)) return null
  return (EXPORT.test(path) ? '/admin/users' : url.pathname) + url.search
}

function decoded(path: string) {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export function withNext(path: string, next: string) {
  return `${path}?${new URLSearchParams({ next })}`
}

export const INTERACTION = /^\/oauth\/interaction\/([\w-]{1,64})(?:\?|$)/

/** An authorization request, which is repeated after the sign-in. */
export const AUTHORIZATION = /^\/oauth\/authorize\?/

/**
 * Tells the interaction that its own page signed the user in: that page named the host, while a
 * sign-in in another tab did not.
 */
export function afterSignIn(next: string) {
  if (!INTERACTION.test(next)) return next
  const { pathname, searchParams } = new URL(next, appUrl)
  searchParams.set('signed_in', '1')
  return `${pathname}?${searchParams}`
}

/** Later steps carry `next` in their form, the first one in its address. */
export function requestedNext({ request }: HttpContext) {
  return nextPath(request.body().next ?? request.qs().next)
}
