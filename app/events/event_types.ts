import type User from '#models/user'
import type { MailServer } from '#settings/values/mail_server'
import { privateEvent, publicEvent, unauditedEvent } from './definition.ts'
import type {
  Addressee,
  Change,
  ClientDetails,
  EndedGrant,
  EndedSessions,
  Failure,
  GroupDetails,
  IdentityUse,
  Lock,
  Lockout,
  NewDevice,
  PasskeyDetails,
  Recovery,
  RemovedPasskeys,
  RestoreDetails,
  ReusedToken,
  SettingsChange,
  SigningKeyDetails,
  UserChange,
  WebhookDetails,
} from './details.ts'

type OfUser = { user: Addressee }
type OfRoute = { details: { route: string | null } }
type Changed = { details: UserChange }
type ChangedWebhook = Partial<Record<'name' | 'url' | 'events' | 'description' | 'enabled', Change>>
/** `clientId`, `name` and `kind`, and the fields that changed; keys and pictures are `changeKeys`. */
type ChangedClient = { clientId: string } & Record<string, Change | string>
type ChangedGroup = Partial<Record<'name' | 'title' | 'description', Change>>

/**
 * The trail stores the names: they never change. A new type also needs a title in
 * `resources/lang/<language>/events.json` and a row in `tests/functional/matrix/events.ts`; a public one
 * its type for webhooks in `app/webhooks/types`.
 */
export const EVENTS = {
  'account.registered': publicEvent<{ user: User }>(),
  'account.created': publicEvent<{
    user: User
    details: { role: string; kind?: 'service'; isFirst?: true; emailVerified?: true }
  }>(),
  'account.invited': publicEvent<OfUser & { details: { role?: string; emailVerified?: true } }>(),
  'account.updated': publicEvent<Changed>(),
  'account.locked': publicEvent<{ details: Lock; context: { lockout?: Lockout } }>(),
  'account.unlocked': publicEvent<{ details: { lockKind?: 'failures'; method?: string } }>(),
  'account.disabled': publicEvent<Changed>(),
  'account.enabled': publicEvent<Changed>(),
  'account.deleted': publicEvent<{ user: User; context: { addresses: string[] } }>(),
  'account.exported': privateEvent(),
  'accounts.exported': privateEvent<{ details: { filter?: object; withHashes?: boolean } }>(),
  'accounts.imported': privateEvent<{ details: { from: string; users: number } }>(),
  'backup.created': privateEvent<{ details: { isEncrypted: boolean; rows: number } }>(),
  'settings.changed': privateEvent<{
    details: SettingsChange
    context: { recipients: Addressee[]; names: string[]; via: MailServer | null }
  }>(),
  'backup.restored': privateEvent<{ details: RestoreDetails }>(),
  'secrets.rotated': privateEvent<{ details: { keyrings: string[]; dropOld: boolean } }>(),
  'backup.resumed': privateEvent<{ details: { reason: string; pausedAt: string } }>(),
  'signing_key.published': privateEvent<{ details: SigningKeyDetails }>(),
  'signing_key.started': privateEvent<{ details: SigningKeyDetails }>(),
  'signing_key.revoked': privateEvent<{ details: SigningKeyDetails }>(),
  'role.changed': publicEvent<Changed>(),
  'login.succeeded': publicEvent<
    OfUser & {
      details: { sessionId: string; deviceName: string; method: string; mfa: boolean }
      context: { newDevice: NewDevice | null }
    }
  >(),
  'login.failed': publicEvent<{ details: Failure }>(),
  'login.challenged': privateEvent<{ details: { method: string } }>(),
  'login.abandoned': privateEvent<
    OfUser & {
      details: { method: string }
      context: { deviceName: string; ip: string; startedAt: string }
    }
  >(),
  'login.refused': privateEvent<{
    details: { method: string; reason: string; email?: string; cause?: string }
  }>(),
  'access.denied': privateEvent<OfRoute>(),
  'device.locked': privateEvent<{ details: Failure }>(),
  'device.withdrawn': privateEvent<{ details: { device: string | null } }>(),
  'session.ended': publicEvent<{
    details: { sessionId: string; clientId?: string; endedSessions?: number }
  }>(),
  'session.denied': publicEvent<{
    user: User
    details: Recovery & { sessionId?: string }
    context: RemovedPasskeys
  }>(),
  'sessions.ended': publicEvent<{ details: EndedSessions }>(),
  'client_sessions.ended': unauditedEvent<{
    user: { id: string }
    /** `goOn` is set if only the browser signed out. */
    context: { sessions: EndedGrant[]; goOn?: true }
  }>(),
  'token.revoked': privateEvent<{ details: { sessionId: string; clientId?: string } }>(),
  'refresh.reused': publicEvent<OfUser & { details: ReusedToken }>(),
  'reauthentication.required': privateEvent<OfRoute>(),
  'reauthentication.succeeded': privateEvent<{ details: { method: string } }>(),
  'code.reused': publicEvent<OfUser & { details: ReusedToken }>(),
  'password.changed': publicEvent<
    OfUser & { details: EndedSessions & { mustChange?: boolean; revokedKeys?: number } }
  >(),
  'password.incorrect': privateEvent<OfRoute>(),
  'password.reset_requested': privateEvent<OfUser & { context: { isMailed: boolean } }>(),
  'password.reset': publicEvent<OfUser & { details: Recovery; context: RemovedPasskeys }>(),
  'email.change_requested': privateEvent<
    OfUser & Changed & { context: { newEmail: string; isByCode?: boolean } }
  >(),
  'email.change_withdrawn': privateEvent<Changed>(),
  'email.change_undone': publicEvent<
    OfUser & { details: Recovery & { email: Change<string> }; context: RemovedPasskeys }
  >(),
  'email.changed': publicEvent<
    OfUser & Changed & { context: { newEmail: string; askedAt?: string } }
  >(),
  'email.verified': publicEvent(),
  'avatar.changed': publicEvent(),
  'avatar.removed': publicEvent(),
  'mfa.enabled': publicEvent<OfUser & { details: EndedSessions }>(),
  'mfa.disabled': publicEvent<OfUser & { details: EndedSessions }>(),
  'mfa.reset': publicEvent<
    OfUser & {
      details: EndedSessions & { withdrawnDevices: number; removedPasskeys?: number }
      context: RemovedPasskeys & { hadSecondFactor: boolean }
    }
  >(),
  'mfa.suspended': publicEvent<OfUser & { details: { wrongCodes: number } }>(),
  'mfa.incorrect_code': privateEvent<OfRoute>(),
  'mfa.code_refused': privateEvent<OfRoute>(),
  'mfa.backup_codes_replaced': publicEvent(),
  'passkey.added': publicEvent<OfUser & { details: PasskeyDetails }>(),
  'passkey.renamed': publicEvent<{ details: { passkeyId: string; name: Change<string> } }>(),
  'passkey.removed': publicEvent<OfUser & { details: PasskeyDetails & EndedSessions }>(),
  'passkey.counter_refused': privateEvent<{ details: PasskeyDetails }>(),
  'identity.linked': publicEvent<
    OfUser & {
      details: { provider: string; issuer: string; subject: string }
      context: { isNewUser: boolean }
    }
  >(),
  'identity.unlinked': publicEvent<OfUser & { details: EndedSessions & { provider: string } }>(),
  'identity.used': unauditedEvent<{ user: { id: string }; context: IdentityUse }>(),
  'identity.removed': unauditedEvent<{ user: { id: string }; context: { provider: string } }>(),
  'api_key.created': privateEvent<{
    details: { keyId: string; name: string; scopes: string; expiresAt: string }
    context: { recipients: Addressee[]; account: string }
  }>(),
  'api_key.revoked': privateEvent<{ details: { keyId: string; name: string; reason?: string } }>(),
  'group.created': publicEvent<{ details: GroupDetails }>(),
  'group.updated': publicEvent<{ details: GroupDetails & ChangedGroup }>(),
  'group.deleted': publicEvent<{
    details: GroupDetails & { members: number }
    /** Set if no application names the group. */
    context: { isUnnamed?: true }
  }>(),
  'group.member_added': publicEvent<{ details: GroupDetails }>(),
  'group.member_removed': publicEvent<{
    details: GroupDetails
    /** Set if an event for another group of the same change came before. */
    context: { isFurther?: true }
  }>(),
  'client.created': publicEvent<{ details: ClientDetails }>(),
  'client.updated': publicEvent<{ details: ChangedClient }>(),
  'client.secret_rotated': publicEvent<{ details: ClientDetails }>(),
  'client.secret_incorrect': privateEvent<{ details: { clientId: string } }>(),
  'client.deleted': publicEvent<{ details: ClientDetails }>(),
  'application.authorized': publicEvent<{
    details: { clientId: string; client: string; sessionId: string; scopes?: string[] }
  }>(),
  'application.consented': publicEvent<{
    details: { clientId: string; scopes: string[]; resources: string[] }
  }>(),
  'application.refused': publicEvent<{ details: { clientId: string; client: string } }>(),
  'application.withdrawn': publicEvent<{ details: EndedSessions & { clientId: string } }>(),
  'configuration.applied': privateEvent<{
    details: { files: string; changed: number; managed: number; released: number }
  }>(),
  'webhook.created': privateEvent<{
    details: WebhookDetails
    context: { recipients: Addressee[] }
  }>(),
  'webhook.updated': privateEvent<{
    details: WebhookDetails & ChangedWebhook
    context: { recipients: Addressee[] }
  }>(),
  'webhook.secret_rotated': privateEvent<{ details: WebhookDetails }>(),
  'webhook.disabled': privateEvent<{
    details: WebhookDetails & { reason: 'gone' | 'failing' }
    context: { recipients: Addressee[] }
  }>(),
  'webhook.tested': publicEvent<{ details: WebhookDetails }>(),
  'webhook.replayed': privateEvent<{ details: WebhookDetails & { count: number } }>(),
  'webhook.delivery_retried': privateEvent<{ details: WebhookDetails & { eventId: string } }>(),
  'webhook.deleted': privateEvent<{ details: WebhookDetails }>(),
  'mail.retried': privateEvent<{ details: { kind: string } }>(),
  'mail.read': privateEvent<{ details: { kind: string } }>(),
  'mail.tested': privateEvent(),
}

export type EventType = keyof typeof EVENTS

export type AuditedType = {
  [Type in EventType]: (typeof EVENTS)[Type]['isAudited'] extends true ? Type : never
}[EventType]

export type PublicAction = {
  [Type in EventType]: (typeof EVENTS)[Type]['isPublic'] extends true ? Type : never
}[EventType]

export const AUDITED_TYPES = (Object.keys(EVENTS) as EventType[]).filter(
  (type): type is AuditedType => EVENTS[type].isAudited
)
