import type { HttpContext } from '@adonisjs/core/http'
import { setSessionCookie } from '#auth/guards/web/session_cookie'
import { setDeviceCookie } from '#http/device_cookie'
import { hasAdmin } from '#users/first_admin'
import { replayForm, nextPath, openSavedForm } from './form_replay.ts'
import type { SignInStep } from './console_sign_in.ts'
import { EMPTY_FORM, type Form } from './forms.ts'
import type { SignedIn } from '#auth/sign_in/result'

interface SignInPage {
  form?: Form
  status?: number
  notice?: string | null
  /** A saved form, which is replayed after the sign-in. */
  savedForm?: string | null
}

export async function renderSignIn(ctx: HttpContext, page: SignInPage = {}) {
  const { form = EMPTY_FORM, status, notice = null, savedForm = null } = page
  if (status) ctx.response.status(status)
  const next = nextPath(ctx.request.body().next ?? ctx.request.qs().next)
  const isSetUp = await hasAdmin()
  return ctx.view.render('admin/sign_in', { form, notice, savedForm, next, isSetUp })
}

export function renderCode(ctx: HttpContext, mfaToken: string, form: Form = EMPTY_FORM) {
  const { savedForm = null, next } = ctx.request.body()
  return ctx.view.render('admin/sign_in_code', { mfaToken, form, savedForm, next: nextPath(next) })
}

/** The page after a step of the sign-in: the requested one, the code, or the choice of a new password. */
export function respondToSignIn(ctx: HttpContext, step: SignInStep) {
  if (step.outcome === 'signed_in') return openConsole(ctx, step)
  if (step.outcome === 'mfa_required') return renderCode(ctx, step.mfaToken)
  const parameters = new URLSearchParams({ token: step.resetToken })
  return ctx.response.redirect().status(303).toPath(`/reset-password?${parameters}`)
}

function openConsole(ctx: HttpContext, started: SignedIn) {
  setSessionCookie(ctx, started)
  setDeviceCookie(ctx, started.deviceToken)
  const saved = openSavedForm(ctx, started.user.id)
  if (saved) return replayForm(ctx, saved)
  return ctx.response.redirect().status(303).toPath(nextPath(ctx.request.body().next))
}
