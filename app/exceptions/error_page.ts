import type { HttpContext } from '@adonisjs/core/http'
import type { I18n } from '@adonisjs/i18n'
import { useRequestLanguage } from '#pages/reader_language'
import { allowOwnFiles } from '#middleware/page_policy_middleware'
import type { Problem } from './problem.ts'

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

/** The texts of the code, else of the status, else those of a fault of ours. */
function textKey(i18n: I18n, { code, status }: Problem) {
  const keys = [code, String(status)]
  return keys.find((key) => i18n.hasFallbackMessage(`errors.pages.${key}.title`)) ?? 'broken'
}

/** Renders a failure as a page, which works without a session. */
export async function sendPage(ctx: HttpContext, problem: Problem) {
  const { request, response, view } = ctx
  if (!ctx.i18n) useRequestLanguage(ctx)
  const { i18n } = ctx
  const key = textKey(i18n, problem)
  const title = i18n.t(`errors.pages.${key}.title`)
  const text = i18n.t(`errors.pages.${key}.text`)
  // No route, so no middleware has set the content security policy.
  if (!response.nonce) allowOwnFiles(ctx)
  const link = isConsole(ctx) ? { path: '/admin', text: i18n.t('errors.pages.to_dashboard') } : null
  const page = { title, text, link, requestId: request.id() }
  const html = await view.render('admin/message', page).catch(() => text)
  response.header('content-type', 'text/html; charset=utf-8')
  response.send(html)
}
