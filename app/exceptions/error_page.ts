import type { HttpContext } from '@adonisjs/core/http'
import { allowOwnFiles } from '#middleware/page_policy_middleware'
import type { Problem } from './problem.ts'

interface PageText {
  title: string
  text: string
}

const TEXTS: Record<number, PageText> = {
  400: { title: 'Not understood', text: 'The address or the form holds what makes no sense here.' },
  403: { title: 'Not allowed', text: 'You may not do this.' },
  404: { title: 'Not found', text: 'There is no such page, or what it was about is gone.' },
  413: { title: 'Too much at once', text: 'What was sent is larger than a form can be.' },
  415: { title: 'Not a form', text: 'This address takes what a form sends and nothing else.' },
  429: { title: 'Too many requests', text: 'Wait a little before you try again.' },
  503: { title: 'Unavailable', text: 'The database or the store does not answer. Try again soon.' },
}

const BROKEN: PageText = { title: 'Something broke', text: 'The fault is ours and was logged.' }

const TEXTS_OF_CODES: Record<string, PageText> = {
  E_FORM_EXPIRED: {
    title: 'This form has expired',
    text: 'It was opened before you signed in or out, or came from somewhere else, so nothing was done. Go back, load the page again and send it once more.',
  },
  E_EMAIL_TAKEN: {
    title: 'The address is taken',
    text: 'Another account got this address meanwhile, so nothing was changed. If that account is yours, sign in to it or set a new password for it.',
  },
}

/** Whether the path is a page: the console, and the pages that links in mails open. */
export function isPage(ctx: HttpContext) {
  const { request } = ctx
  return (
    isConsole(ctx) ||
    /^\/(forgot-password|reset-password|accept-invitation|verify-email(\/decline)?|undo-email-change|not-me)$/.test(
      request.url()
    )
  )
}

function isConsole({ request }: HttpContext) {
  return /^\/admin(\/|$)/.test(request.url())
}

/** Renders a failure as a page, which works without a session. */
export async function sendPage(ctx: HttpContext, problem: Problem) {
  const { request, response, view } = ctx
  const text = TEXTS_OF_CODES[problem.code] ?? TEXTS[problem.status] ?? BROKEN
  // No route, so no middleware has set the content security policy.
  if (!response.nonce) allowOwnFiles(ctx)
  const link = isConsole(ctx) ? { path: '/admin', text: 'Go to the dashboard' } : null
  const page = { ...text, link, requestId: request.id() }
  const html = await view.render('admin/message', page).catch(() => text.text)
  response.header('content-type', 'text/html; charset=utf-8')
  response.send(html)
}
