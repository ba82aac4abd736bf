import type { HttpContext } from '@adonisjs/core/http'
import hostedPages from '#config/hosted_pages'
import signUp from '#config/sign_up'
import { acceptsCodes } from '#auth/mfa/challenge'
import { ensureShownSettings } from '#settings/values/ensure_settings'
import { hasAdminNow } from '#users/has_admin'
import { replayForm, openSavedForm } from '#pages/forms/form_replay'
import { renderMessage } from './link_pages.ts'
import { afterSignIn, requestedNext, withNext } from './next_path.ts'
import { offerPasskey } from './passkey_offer.ts'
import { redirectToPasswordForm } from './password_page.ts'
import { providerButtons } from './provider_buttons.ts'
import { redirectToApplication, openNext, requestingApplication } from './requesting_application.ts'
import { startWebSession } from './web_sign_in.ts'
import type { PageStep } from './page_sign_in.ts'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'

interface SignInPage {
  form?: Form
  status?: number
  notice?: string | null
  savedForm?: string | null
  /** The page to open next, if the request does not name it. */
  next?: string
}

export async function renderSignIn(ctx: HttpContext, page: SignInPage = {}) {
  const { status, notice = null, savedForm = null } = page
  if (status) ctx.response.status(status)
  const next = page.next ?? requestedNext(ctx)
  const application = await requestingApplication(next)
  /** Only an administrator registers applications, so there is one. */
  const isSetUp = application !== null || (await hasAdminNow())
  await ensureShownSettings()
  const form = page.form ?? hintedForm(application?.loginHint)
  return ctx.view.render('sign_in/show', {
    form,
    notice,
    savedForm,
    next,
    application,
    isSetUp,
    providers: providerButtons(next),
    passkeyForm: {
      action: '/sign-in/passkey',
      text: ctx.i18n.t('passkeys.use'),
      autocomplete: 'username webauthn',
      isAutofilled: true,
    },
    hasPages: hostedPages.isOn,
    hasSignUp: hostedPages.isOn && signUp.isOpen,
    adminCommand: 'npm run ace -- user:create you@example.org --role=Admin',
  })
}

/** Treats every address the same, because a hint must not tell whether there is an account. */
function hintedForm(email: string | null = null): Form {
  return email === null ? EMPTY_FORM : { ...EMPTY_FORM, input: { email }, focus: 'password' }
}

interface CodePage {
  form?: Form
  next?: string
}

export async function renderCode(ctx: HttpContext, mfaToken: string, page: CodePage = {}) {
  const { form = EMPTY_FORM, next = requestedNext(ctx) } = page
  const { savedForm = null } = ctx.request.body()
  const hasCodes = await acceptsCodes(mfaToken)
  const passkeyForm = {
    action: '/sign-in/code/passkey',
    text: ctx.i18n.t(hasCodes ? 'passkeys.instead' : 'passkeys.confirm'),
    mfaToken,
  }
  return ctx.view.render('sign_in/code', { mfaToken, form, savedForm, next, hasCodes, passkeyForm })
}

export function respondToSignIn(ctx: HttpContext, step: PageStep, next = requestedNext(ctx)) {
  if (step.outcome === 'signed_in') return openPage(ctx, step, next)
  if (step.outcome === 'mfa_required') return renderCode(ctx, step.mfaToken, { next })
  if (step.outcome === 'unverified') return renderUnverified(ctx, step.email, next)
  return redirectToPasswordForm(ctx, step.resetToken, next)
}

function renderUnverified(ctx: HttpContext, email: string, next: string) {
  ctx.response.status(403)
  return ctx.view.render('sign_in/unverified', { email, next })
}

/** Shows the same page whether or not a mail is sent: it must not reveal who has an account. */
export function renderMailed(ctx: HttpContext, email: string) {
  const { i18n } = ctx
  const path = withNext('/sign-in', requestedNext(ctx))
  return renderMessage(ctx, {
    title: i18n.t('sign_in.mailbox.title'),
    text: i18n.t('sign_in.mailbox.text', { email }),
    link: { path, text: i18n.t('sign_in.sign_up.to_sign_in') },
  })
}

type Started = Extract<PageStep, { outcome: 'signed_in' }>

async function openPage(ctx: HttpContext, started: Started, next: string) {
  await startWebSession(ctx, started)
  const saved = openSavedForm(ctx, started.user.id)
  // A form that another page has named is not repeated here, because this page names nothing.
  if (saved && !saved.isNamed) return replayForm(ctx, saved)
  offerPasskey(ctx, started, next)
  if (started.authorized) return redirectToApplication(ctx, started.authorized)
  return openNext(ctx, afterSignIn(next))
}
