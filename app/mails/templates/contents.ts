import type { MailServer } from '#settings/values/mail_server'
import type { FailureReason, NewDevice, RemovedMethods } from '#events/details'

type None = Record<string, never>

interface KeyContents {
  keyName: string
  /** The service account of the key; empty if the reader owns it. */
  account: string
  scopes: string
  endsAt: string
}

interface WebhookContents {
  webhookName: string
  host: string
}

/** No links: the token is issued when the mail is composed, so that the queue stores none. */
export interface MailContents {
  account_locked: { lockedUntil: string; reason: FailureReason }
  account_exists: None
  password_changed: None
  account_deleted: { name: string; locale: string | null }
  former_address: { event: TemplateName }
  password_reset: {
    /** For the trail; null if the cause has its own event. */
    from: { ip: string; userAgent: string | null } | null
    removed: RemovedMethods
  }
  email_verification: None
  /** `isTaken` is known when the mail is composed. */
  email_change: { isTaken?: true }
  /** Sent with a code for the page that waits. */
  address_code: {
    codeId: string
    application: string
    deviceName: string
    startedAt: string
    isTaken?: true
  }
  email_change_requested: { newEmail: string }
  email_change_confirmed: { newEmail: string; askedAt: string }
  email_changed: { newEmail: string }
  invitation: None
  refresh_reused: { deviceName: string }
  identity_linked: { provider: string }
  identity_unlinked: { provider: string }
  passkey_added: { passkeyName: string }
  passkey_removed: { passkeyName: string }
  passkey_copied: { passkeyName: string }
  mfa_enabled: None
  mfa_disabled: None
  mfa_suspended: { wrongCodes: string }
  sign_in_abandoned: { method: string; deviceName: string; ip: string; startedAt: string }
  test: None
  api_key_created: KeyContents
  api_key_expiring: KeyContents
  webhook_created: WebhookContents
  webhook_redirected: WebhookContents
  webhook_disabled: WebhookContents & { reason: 'gone' | 'failing' }
  webhooks_stalled: { stalledSince: string }
  backup_failed: { failedAt: string; reason: 'full' | 'unwritable' | 'other' }
  new_device: NewDevice
  /** `via` is the previous mail server, if the change is about it. */
  settings_changed: { names: string; changedBy: string; via: MailServer | null }
}

export type TemplateName = keyof MailContents
