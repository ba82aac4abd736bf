import type { HttpContext } from '@adonisjs/core/http'
import hostedPages from '#config/hosted_pages'
import { hasAdmin } from '#users/first_admin'
import { replayForm, openSavedForm } from './form_replay.ts'
import { nextPath } from './next_path.ts'
import { providerButtons } from './provider_buttons.ts'
import { startWebSession } from './web_sign_in.ts'
import type { SignInStep } from './page_sign_in.ts'
import { EMPTY_FORM, type Form } from './forms.ts'
import type { SignedIn } from '#auth/sign_in/result'

interface SignInPage {
  form?: Form
  status?: number
  notice?: string | null
  /** A saved form, which is replayed after the sign-in. */
  savedForm?: string | null
  /** Given where the request does not say it. */
  next?: string
}

export async function renderSignIn(ctx: HttpContext, page: SignInPage = {}) {
  const { form = EMPTY_FORM, status, notice = null, savedForm = null } = page
  if (status) ctx.response.status(status)
  const next = page.next ?? requestedNext(ctx)
  return ctx.view.render('sign_in/show', {
    form,
    notice,
    savedForm,
    next,
    isSetUp: await hasAdmin(),
    providers: providerButtons(next),
    hasPages: hostedPages.isOn,
  })
}

/** The page that was asked for: in the form of a further step, or in the address of the first one. */
export function requestedNext({ request }: HttpContext) {
  return nextPath(request.body().next ?? request.qs().next)
}

interface CodePage {
  form?: Form
  next?: string
}

export function renderCode(ctx: HttpContext, mfaToken: string, page: CodePage = {}) {
  const { form = EMPTY_FORM, next = requestedNext(ctx) } = page
  const { savedForm = null } = ctx.request.body()
  return ctx.view.render('sign_in/code', { mfaToken, form, savedForm, next })
}

/** The page after a step of the sign-in: the requested one, the code, or the choice of a new password. */
export function respondToSignIn(ctx: HttpContext, step: SignInStep, next = requestedNext(ctx)) {
  if (step.outcome === 'signed_in') return openPage(ctx, step, next)
  if (step.outcome === 'mfa_required') return renderCode(ctx, step.mfaToken, { next })
  const parameters = new URLSearchParams({ token: step.resetToken })
  return ctx.response.redirect().status(303).toPath(`/reset-password?${parameters}`)
}

async function openPage(ctx: HttpContext, started: SignedIn, next: string) {
  await startWebSession(ctx, started)
  const saved = openSavedForm(ctx, started.user.id)
  if (saved) return replayForm(ctx, saved)
  return ctx.response.redirect().status(303).toPath(next)
}
