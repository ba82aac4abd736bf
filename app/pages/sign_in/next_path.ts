import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import hostedPages from '#config/hosted_pages'

const MAX_LENGTH = 2_048

/** One slash, and none of what browsers drop or read as a slash: tabs, line breaks, backslashes. */
const LOCAL_PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/** Where a sign-in leads without `next`: the account, or the console where there are no pages for people. */
export function homePath() {
  return hostedPages.isOn ? '/account' : '/admin'
}

/** The page after a sign-in, within this site: an open redirect would help phishing. */
export function nextPath(next: unknown) {
  return localPath(next) ?? homePath()
}

/** A path of this site with its query, in its normal form; null for anything else. */
function localPath(next: unknown) {
  if (typeof next !== 'string' || next.length > MAX_LENGTH || !LOCAL_PATH.test(next)) return null
  const { origin } = new URL(appUrl)
  const url = URL.parse(next, origin)
  // `/.//evil.example` is a path of this origin until its dot is gone.
  if (url?.origin !== origin || !LOCAL_PATH.test(url.pathname)) return null
  return url.pathname + url.search
}

/** The path of a page with `next` in its query, where there is one. */
export function withNext(path: string, next: string) {
  return `${path}?${new URLSearchParams({ next })}`
}

/** The page that was asked for: in the form of a further step, or in the address of the first one. */
export function requestedNext({ request }: HttpContext) {
  return nextPath(request.body().next ?? request.qs().next)
}
