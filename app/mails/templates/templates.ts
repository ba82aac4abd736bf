import type { FailureReason } from '#auth/lockout/failures'
import type { MailBudget } from '#auth/lockout/mail_budget'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'

interface KeyContents {
  keyName: string
  /** The service account that owns the key; empty where the reader does. */
  account: string
  scopes: string
  endsAt: string
}

/** What was removed from an account because it came after a sign-in or change that was reported. */
export interface RemovedWaysIn {
  /** The names of providers. */
  unlinked?: string[]
  removedPasskeys?: number
  revokedKeys?: number
  removedMfa?: boolean
}

/**
 * The contents of each kind of mail. They hold no link: its token is issued when the mail
 * is composed, so that the queue never stores a valid token, and its lifetime starts when
 * the mail is sent.
 */
export interface MailContents {
  account_locked: { lockedUntil: string; reason: FailureReason }
  account_exists: Record<string, never>
  password_changed: Record<string, never>
  account_deleted: { name: string; locale: string | null }
  former_address: { event: TemplateName }
  password_reset: {
    from: { ip: string; userAgent: string | null } | null
    removed: RemovedWaysIn
  }
  email_verification: Record<string, never>
  /** `isTaken` is known when the mail is composed. */
  email_change: { isTaken?: true }
  email_change_requested: { newEmail: string }
  email_change_confirmed: { newEmail: string; askedAt: string }
  email_changed: { newEmail: string }
  invitation: Record<string, never>
  refresh_reused: { deviceName: string }
  identity_linked: { provider: string }
  identity_unlinked: { provider: string }
  passkey_added: { passkeyName: string }
  passkey_removed: { passkeyName: string }
  passkey_copied: { passkeyName: string }
  mfa_enabled: Record<string, never>
  mfa_disabled: Record<string, never>
  mfa_suspended: { wrongCodes: string }
  sign_in_abandoned: { method: string; deviceName: string; ip: string; startedAt: string }
  test: Record<string, never>
  api_key_created: KeyContents
  api_key_expiring: KeyContents
  new_device: { fingerprint: string; deviceName: string; ip: string; signedInAt: string }
}

export type TemplateName = keyof MailContents

/** The page of the link, and what its token permits. */
interface MailLink {
  page: string
  purpose: OneTimePurpose
}

interface Template {
  link?: MailLink
  /**
   * Whether the mail is for the user who has the address when it is composed. Other mails
   * are for the user for whom they were queued, even if their address has changed since.
   */
  isForAddress?: boolean
  /** Whether the mail has a link that proves its address, which therefore need not be proved. */
  provesAddress?: boolean
  /**
   * Whether addresses whose link to undo a change still works are told too: a thief who has
   * changed the address would otherwise do the rest unseen.
   */
  tellsFormer?: boolean
  /**
   * Whether the mail is sent after its user was deleted. It has no user id, holds what it needs
   * of them, and its row goes once it was sent or has finally failed.
   */
  outlivesUser?: boolean
  /** By what mails of this kind are counted and dropped beyond the limit of their recipient. */
  budget?: MailBudget
}

export const TEMPLATES: Record<TemplateName, Template> = {
  account_locked: { isForAddress: true },
  account_exists: { isForAddress: true },
  password_changed: { tellsFormer: true },
  account_deleted: { outlivesUser: true },
  former_address: {
    budget: 'former_address',
  },
  password_reset: {
    link: { page: '/reset-password', purpose: 'password_reset' },
    isForAddress: true,
    provesAddress: true,
  },
  email_verification: {
    link: { page: '/verify-email', purpose: 'email_verification' },
    isForAddress: true,
    provesAddress: true,
  },
  email_change: {
    link: { page: '/verify-email', purpose: 'email_change' },
    provesAddress: true,
    budget: 'new_address',
  },
  email_change_requested: {
    tellsFormer: true,
    link: { page: '/undo-email-change', purpose: 'email_change_undo' },
  },
  email_change_confirmed: {
    tellsFormer: true,
    link: { page: '/undo-email-change', purpose: 'email_change_undo' },
  },
  email_changed: {},
  invitation: {
    link: { page: '/accept-invitation', purpose: 'invitation' },
    isForAddress: true,
    provesAddress: true,
  },
  identity_linked: { tellsFormer: true },
  identity_unlinked: { tellsFormer: true },
  passkey_added: { tellsFormer: true },
  passkey_removed: { tellsFormer: true },
  passkey_copied: { tellsFormer: true },
  mfa_enabled: { tellsFormer: true },
  mfa_disabled: { tellsFormer: true },
  mfa_suspended: { tellsFormer: true },
  test: {},
  refresh_reused: { tellsFormer: true },
  sign_in_abandoned: {
    tellsFormer: true,
  },
  api_key_created: { tellsFormer: true },
  api_key_expiring: {},
  new_device: {
    tellsFormer: true,
    link: { page: '/not-me', purpose: 'sign_in_report' },
    budget: 'sign_in',
  },
}
