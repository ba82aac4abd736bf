import type { HttpContext } from '@adonisjs/core/http'
import hostedPages from '#config/hosted_pages'
import settings from '#config/mfa'
import { providerTitle } from '#auth/external/provider_title'
import { needsTwoFactors } from '#auth/sessions/required_factors'
import Identity from '#models/identity'
import { hasConsoleReauthentication } from './console_reauthentication.ts'
import { saveForm } from '#pages/forms/form_replay'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { homePath, withNext } from '#pages/sign_in/next_path'
import { canReauthenticate, confirmationButtons } from '#pages/sign_in/provider_buttons'
import { requestingApplication } from '#pages/sign_in/requesting_application'

/*
 | An attacker at an unattended browser must not delete a user, raise a role or remove a second
 | factor (`recent_authentication.ts`).
 */

export function isConfirmed({ auth }: HttpContext) {
  return auth.use('web').getUserOrFail().hasRecentAuthentication
}

/**
 * Saves the form of the request and repeats it afterwards.
 * @param purpose a sentence that names the action and the user it concerns
 * @param isNamed false for a sentence that does not name them
 */
export function requireConfirmation(ctx: HttpContext, purpose: string, isNamed = true) {
  ctx.response.status(403)
  const { user } = ctx.auth.use('web').getUserOrFail()
  const savedForm = saveForm(ctx, user.id, { purpose, isNamed })
  return renderConfirmation(ctx, { savedForm, purpose, next: pageBehind(ctx) })
}

export async function requireConsoleReauthentication(ctx: HttpContext) {
  if (ctx.request.method() === 'POST') {
    const page = await requireConfirmation(ctx, ctx.i18n.t('sign_in.confirm.console'), false)
    return ctx.response.send(page)
  }
  return ctx.response.redirect().toPath(withNext('/confirm', ctx.request.url(true)))
}

interface Confirmation {
  /** The page that follows, unless a form is replayed. */
  next: string
  savedForm?: unknown
  purpose?: string
  form?: Form
}

export async function renderConfirmation(ctx: HttpContext, confirmation: Confirmation) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const identities = await Identity.ofUser(user.id)
  const names = identities.map(({ provider }) => provider)
  return ctx.view.render('sign_in/confirm', {
    form: EMPTY_FORM,
    savedForm: null,
    purpose: '',
    ...confirmation,
    application: await requestingApplication(confirmation.next),
    user,
    passkeyForm: user.hasPasskey ? confirmByPasskey(ctx) : null,
    isPasskeyNeeded: isPasskeyNeeded(ctx),
    providers: isPasskeyNeeded(ctx) ? [] : confirmationButtons(confirmation.next, names),
    firstPassword: user.password || user.hasPasskey ? null : firstPassword(names),
    minutes: settings.recentAuthenticationMs,
    cancelPath: cancelPath(ctx, confirmation.next),
  })
}

/**
 * Users of a provider that cannot reauthenticate get a password by mail, which proves more than an
 * open session there.
 */
function firstPassword(names: string[]) {
  const unable = names.filter((name) => !canReauthenticate(name))
  return {
    path: hostedPages.isOn ? '/forgot-password' : null,
    provider: unable.length > 0 ? providerTitle(unable[0]) : null,
  }
}

/** For administrators with only a passkey, another method would leave the session at one factor. */
function isPasskeyNeeded({ auth }: HttpContext) {
  const { user } = auth.use('web').getUserOrFail()
  return needsTwoFactors(user) && user.hasPasskey && !user.mfaEnabled
}

function confirmByPasskey({ i18n }: HttpContext) {
  return { action: '/confirm/passkey', text: i18n.t('passkeys.confirm') }
}

/** The console would ask again, so cancelling leaves the console. */
function cancelPath(ctx: HttpContext, next: string) {
  if (!next.startsWith('/admin')) return homePath()
  if (hasConsoleReauthentication(ctx)) return '/admin'
  return homePath() === '/admin' ? '/sign-out' : homePath()
}

/** A provider redirects back by GET, but the address of a form has no page. */
function pageBehind({ request }: HttpContext) {
  const [section] = /^(\/admin)?\/account(\/\w+)?/.exec(request.url()) ?? ['/admin']
  return section
}
