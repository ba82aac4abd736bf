import type { HttpContext } from '@adonisjs/core/http'
import { allowOwnFiles } from '#middleware/page_policy_middleware'
import type { Problem } from './problem.ts'

interface PageText {
  title: string
  text: string
}

const WORDS: Record<number, PageText> = {
  400: { title: 'Not understood', text: 'The address or the form holds what makes no sense here.' },
  403: { title: 'Not allowed', text: 'You may not do this.' },
  404: { title: 'Not found', text: 'There is no such page, or what it was about is gone.' },
  413: { title: 'Too much at once', text: 'What was sent is larger than a form can be.' },
  415: { title: 'Not a form', text: 'This address takes what a form sends and nothing else.' },
  429: { title: 'Too many requests', text: 'Wait a little before you try again.' },
  503: { title: 'Unavailable', text: 'The database or the store does not answer. Try again soon.' },
}

const BROKEN: PageText = { title: 'Something broke', text: 'The fault is ours and was logged.' }

const EXPIRED: PageText = {
  title: 'This form has expired',
  text: 'It was opened before you signed in or out, or came from somewhere else, so nothing was done. Go back, load the page again and send it once more.',
}

/** Whether whoever asks reads pages: below the console's path, and where links of mails lead. */
export function isPage(ctx: HttpContext) {
  const { request } = ctx
  return (
    isConsole(ctx) ||
    /^\/(reset-password|accept-invitation|verify-email|not-me)$/.test(request.url())
  )
}

function isConsole({ request }: HttpContext) {
  return /^\/admin(\/|$)/.test(request.url())
}

/** A failure as a page, which needs nobody to be signed in. */
export async function sendPage(ctx: HttpContext, problem: Problem) {
  const { request, response, view } = ctx
  const words = problem.code === 'E_FORM_EXPIRED' ? EXPIRED : (WORDS[problem.status] ?? BROKEN)
  // A path without a route has met no middleware that writes a policy for pages.
  if (!response.nonce) allowOwnFiles(ctx)
  const link = isConsole(ctx) ? { path: '/admin', text: 'Go to the dashboard' } : null
  const page = { ...words, link, requestId: request.id() }
  const html = await view.render('admin/message', page).catch(() => words.text)
  response.header('content-type', 'text/html; charset=utf-8')
  response.send(html)
}
