import { asPageFromMemory } from '#database/configuration_version'
import type { HttpContext } from '@adonisjs/core/http'
import type { I18n } from '@adonisjs/i18n'
import hostedPages from '#config/hosted_pages'
import { homePath } from '#pages/sign_in/next_path'
import { useRequestLanguage } from '#pages/reader_language'
import { allowOwnFiles } from '#pages/page_policy'
import type { Problem } from './problem.ts'

const SECTIONS = /^\/(oauth\/(?:interaction|device|logout|failure)|admin|account|sign-in)(\/|$)/

/** A path without a route can be within a section. */
export function isPage({ request, route }: Pick<HttpContext, 'request' | 'route'>) {
  return SECTIONS.test(request.url()) || hasLanguage(route)
}

/** Texts of the API are English, so only routes of pages choose a language. */
function hasLanguage(route: HttpContext['route']) {
  const names = [...(route?.middleware.all() ?? [])].map((each) => 'name' in each && each.name)
  return names.includes('language')
}

export function isLostBrowser({ request, route }: HttpContext) {
  return !route && request.accepts(['json', 'html']) === 'html'
}

/** A user who may not use the console gets no link to it. */
function errorLinks(ctx: HttpContext) {
  const { auth, request, i18n } = ctx
  const text = (key: string) => i18n.t(`errors.pages.${key}`)
  const user = auth?.use('web').user?.user
  if (user && !user.isAdmin) {
    const account = hostedPages.isOn ? { path: '/account', text: text('to_account') } : null
    return { link: account, other: { path: '/sign-out', text: text('other_user') } }
  }
  const isConsole = /^\/admin(\/|$)/.test(request.url())
  if (isConsole) return { link: { path: '/admin', text: text('to_dashboard') }, other: null }
  const start = isPage(ctx) ? null : { path: homePath(), text: text('to_start') }
  return { link: start, other: null }
}

function textKey(i18n: I18n, { code, status }: Problem) {
  const keys = [code, String(status)]
  return keys.find((key) => i18n.hasFallbackMessage(`errors.pages.${key}.title`)) ?? 'broken'
}

export async function sendPage(ctx: HttpContext, problem: Problem) {
  const { request, response, view } = ctx
  if (!ctx.i18n) useRequestLanguage(ctx)
  const { i18n } = ctx
  const key = textKey(i18n, problem)
  const title = i18n.t(`errors.pages.${key}.title`)
  const text = i18n.t(`errors.pages.${key}.text`)
  // No route, so no middleware has set the content security policy.
  if (!response.nonce) allowOwnFiles(ctx)
  const page = { title, text, ...errorLinks(ctx), requestId: request.id() }
  const render = () => view.render('pages/message', page)
  const html = await renderAnyway(render, problem).catch(() => text)
  response.header('content-type', 'text/html; charset=utf-8')
  response.send(html)
}

/** Renders from memory if a dependency is down, because a page would wait for it again. */
function renderAnyway(render: () => Promise<string>, { status }: Problem) {
  if (status === 503) return asPageFromMemory(render)
  return render().catch(() => asPageFromMemory(render))
}
