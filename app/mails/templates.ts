import type { OneTimePurpose } from '#auth/tokens/one_time_tokens'

/**
 * What each kind of mail tells besides its recipient. A link is not among it: its token is
 * made when the mail is composed, so that no working token ever waits in the queue, and
 * the time for which it is good starts when the mail leaves.
 */
export interface MailContents {
  account_locked: { lockedUntil: string }
  password_changed: Record<string, never>
  password_reset: { from: { ip: string; userAgent: string | null } | null }
  email_verification: Record<string, never>
  email_changed: { newEmail: string }
  invitation: Record<string, never>
  refresh_reused: { deviceName: string }
  identity_linked: { provider: string }
  mfa_enabled: Record<string, never>
  mfa_disabled: Record<string, never>
  new_device: { sessionId: string; deviceName: string; ip: string; signedInAt: string }
}

export type TemplateName = keyof MailContents

/** What its link does, and the page that the link leads to. */
interface MailLink {
  page: string
  purpose: OneTimePurpose
}

interface Template {
  subject: string
  link?: MailLink
  /**
   * Whether whoever has the address now is meant, and not the user that the mail was
   * queued for: nothing but the address is known when it is queued.
   */
  isForAddress?: boolean
}

export const TEMPLATES: Record<TemplateName, Template> = {
  account_locked: { subject: 'Your account is locked for now', isForAddress: true },
  password_changed: { subject: 'Your password was changed' },
  password_reset: {
    subject: 'Set a new password',
    link: { page: '/reset-password', purpose: 'password_reset' },
    isForAddress: true,
  },
  email_verification: {
    subject: 'Confirm your e-mail address',
    link: { page: '/verify-email', purpose: 'email_verification' },
    isForAddress: true,
  },
  email_changed: { subject: 'Your e-mail address was changed' },
  invitation: {
    subject: 'You are invited',
    link: { page: '/accept-invitation', purpose: 'invitation' },
    isForAddress: true,
  },
  identity_linked: { subject: 'Another way to sign in' },
  mfa_enabled: { subject: 'Multi-factor authentication is on' },
  mfa_disabled: { subject: 'Multi-factor authentication is off' },
  refresh_reused: { subject: 'We ended one of your sessions' },
  new_device: {
    subject: 'New sign-in to your account',
    link: { page: '/not-me', purpose: 'sign_in_report' },
  },
}
