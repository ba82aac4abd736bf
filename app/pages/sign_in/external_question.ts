import type { HttpContext } from '@adonisjs/core/http'
import { providerTitle } from '#auth/external/provider_title'
import { renderMessage } from './link_pages.ts'
import { homePath, nextPath } from './next_path.ts'

/** Asks before a login that another site requests: only a click on this page starts it. */
export async function renderExternalQuestion(ctx: HttpContext, name: string) {
  const { auth, i18n } = ctx
  const provider = providerTitle(name)
  const isSignedIn = await auth.use('web').check()
  const email = isSignedIn ? auth.use('web').getUserOrFail().user.email : null
  const question = i18n.t('sign_in.question.text', { provider })
  const account = email === null ? '' : i18n.t('sign_in.question.signed_in', { email })
  return renderMessage(ctx, {
    title: i18n.t('sign_in.question.title', { provider }),
    text: `${question} ${account}`.trim(),
    link: { path: startPath(ctx, name), text: i18n.t('sign_in.continue_with', { provider }) },
    other: { path: homePath(), text: i18n.t('sign_in.confirm.cancel') },
  })
}

function startPath({ request }: HttpContext, name: string) {
  const { next, prompt } = request.qs()
  const query = new URLSearchParams()
  if (next !== undefined) query.set('next', nextPath(next))
  if (prompt === 'login') query.set('prompt', prompt)
  return `/auth/external/${name}?${query}`
}
