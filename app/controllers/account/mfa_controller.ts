import type { HttpContext } from '@adonisjs/core/http'
import mfa from '#config/mfa'
import { disableMfa } from '#auth/mfa/disable'
import { beginEnrolment, confirmEnrolment } from '#auth/mfa/enrolment'
import { findPendingSecret } from '#auth/mfa/pending_secret'
import { renewBackupCodes } from '#auth/mfa/renew_backup_codes'
import { otpauthUrlOf } from '#auth/mfa/totp'
import { mfaCodeValidator } from '#validators/mfa'
import { accountBase, redirectToAccount, renderAccountPage } from '#pages/account/account_page'
import { attempt, renderSecurity } from '#pages/account/security_page'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import { reauthenticationOf } from '#http/reauthentication'

/** A flash message, in the encrypted cookie, takes the codes to the page that shows them. */
const CODES = 'backupCodes'

/** The pending secret, in the encrypted cookie. */
const SECRET = 'mfaSecret'

interface ShownSecret {
  sessionId: string
  secret: string
}

interface ShownCodes {
  sessionId: string
  backupCodes: string[]
  madeAt: number
}

export default class MfaController {
  /** A page that is loaded again shows its secret again: the app may have it by now. */
  async setup(ctx: HttpContext) {
    const shown = await this.#shownSecret(ctx)
    if (shown) return this.#renderSecret(ctx, shown)
    const outcome = await attempt(ctx, () => beginEnrolment(reauthenticationOf(ctx, {})))
    if (!outcome.ok) return outcome.page
    const { secret } = outcome.result
    const { id: sessionId } = ctx.auth.use('web').getUserOrFail().session
    ctx.session.put(SECRET, { sessionId, secret } satisfies ShownSecret)
    return this.#renderSecret(ctx, secret)
  }

  /** Returns only a secret that this session was shown: another session's must not be confirmed. */
  async #shownSecret({ auth, session: cookie }: HttpContext) {
    const { user, session } = auth.use('web').getUserOrFail()
    const shown: ShownSecret | undefined = cookie.get(SECRET)
    if (shown?.sessionId !== session.id) return null
    return (await findPendingSecret(user.id)) === shown.secret ? shown.secret : null
  }

  async enable(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: mfaCodeValidator,
      fields: { E_INVALID_CODE: 'code' },
      action: (given) => confirmEnrolment(reauthenticationOf(ctx, {}), given),
      onError: (form) => this.#renderAgain(ctx, form),
    })
    return outcome.ok ? this.#redirectToCodes(ctx, outcome.result) : outcome.page
  }

  async renewCodes(ctx: HttpContext) {
    const outcome = await attempt(ctx, () => renewBackupCodes(reauthenticationOf(ctx, {})))
    return outcome.ok ? this.#redirectToCodes(ctx, outcome.result) : outcome.page
  }

  async disable(ctx: HttpContext) {
    const outcome = await attempt(ctx, () => disableMfa(reauthenticationOf(ctx, {})))
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'mfa.disabled' })
  }

  /** An invalid secret is not drawn as a QR code: the enrolment starts again. */
  #renderAgain(ctx: HttpContext, form: Form) {
    const { secret } = form.input
    const isSecret = typeof secret === 'string' && /^[A-Z2-7]{16,64}$/.test(secret)
    return isSecret ? this.#renderSecret(ctx, secret, form) : renderSecurity(ctx)
  }

  async #renderSecret(ctx: HttpContext, secret: string, form: Form = EMPTY_FORM) {
    const { toDataURL } = await import('qrcode')
    const { user } = ctx.auth.use('web').getUserOrFail()
    const otpauthUrl = otpauthUrlOf(user.email, secret)
    const qrCode = await toDataURL(otpauthUrl)
    return renderAccountPage(ctx, 'security/mfa_setup', { secret, otpauthUrl, qrCode, form })
  }

  #redirectToCodes(ctx: HttpContext, backupCodes: string[]) {
    const { id: sessionId } = ctx.auth.use('web').getUserOrFail().session
    ctx.session.flash(CODES, { sessionId, backupCodes, madeAt: Date.now() })
    return ctx.response
      .redirect()
      .status(303)
      .toPath(`${accountBase(ctx)}/security/mfa/codes`)
  }

  /** Shows the codes once, to the session that reauthenticated: the database has only hashes. */
  showCodes(ctx: HttpContext) {
    const { id: sessionId } = ctx.auth.use('web').getUserOrFail().session
    const shown: ShownCodes | undefined = ctx.session.flashMessages.get(CODES)
    const isRecent = shown && Date.now() - shown.madeAt < mfa.recentAuthenticationMs
    if (!isRecent || shown.sessionId !== sessionId) {
      return redirectToAccount(ctx, { page: '/security', notice: 'backup_codes.once' })
    }
    const { backupCodes, madeAt } = shown
    return renderAccountPage(ctx, 'security/backup_codes', {
      backupCodes,
      madeAt,
      issuer: mfa.issuer,
    })
  }
}
