import type { Actor } from '#audit/actor'

export interface Change<Value = unknown> {
  before: Value
  after: Value
}

/** The changed fields, and the reason of a disabling. */
export type UserChange = Record<string, Change | string>

export type FailureReason = 'password' | 'code'

export interface Failure {
  email?: string
  reason: FailureReason
  attemptsRemaining?: number
  knownDevice?: true
}

export type Lock =
  { lockKind: 'administrator'; until: string } | (Failure & { lockKind: 'failures' })

/** A mail about the lock goes to the user with the e-mail. */
export interface Lockout {
  email: string
  /** In milliseconds since the epoch. */
  until: number
  reason: FailureReason
}

export interface EndedSessions {
  endedSessions: number
}

/** Methods that a reset or a report removed. */
export interface RemovedMethods {
  /** The names of providers. */
  unlinked?: string[]
  removedPasskeys?: number
  revokedKeys?: number
  removedMfa?: boolean
  /** Set if added methods stay: the last administrator could not sign in without them. */
  keptMethods?: boolean
}

export type Recovery = EndedSessions & RemovedMethods & { withdrawnDevices: number }

/** For mails: the trail only counts passkeys. */
export interface RemovedPasskeys {
  passkeys: string[]
}

export interface NewDevice {
  fingerprint: string
  deviceName: string
  ip: string
  /** ISO 8601. */
  signedInAt: string
}

/** A sign-in by a provider. */
export interface IdentityUse {
  provider: string
  /** The user's groups as the provider reports them; absent if it does not report groups. */
  groups?: string[]
  actor: Actor
}

export interface ReusedToken {
  sessionId: string
  deviceName?: string
  clientId?: string
  /** False if the second use came so soon that it ended nothing. */
  isEnded?: false
}

/** The backup that was restored, and when it was made. */
export interface RestoreDetails {
  createdAt: string
  version: string
  users: number
  /** Users who were erased again. */
  erased?: number
  keysEnded?: true
}

export interface SigningKeyDetails {
  kid: string
  algorithm?: string
  signsFrom?: string
}

export interface PasskeyDetails {
  passkeyId: string
  name: string
}

/** The fields of a new or deleted client that differ from the defaults are added, as changes. */
export interface ClientDetails {
  clientId: string
  name: string
  kind: string
  endedSessions?: number
}

/** The group's name at that time. */
export interface GroupDetails {
  groupId: string
  group: string
}

/** The webhook's name at that time, and only the host of its address: a path may hold a secret. */
export interface WebhookDetails {
  webhookId: string
  webhook: string
  host: string
}

export interface EndedGrant {
  id: string
  clientId: string
}

export interface Addressee {
  id: string
  email: string
}

/** Changes by the name of the setting. Secrets and pictures are `changeKeys`. */
export type SettingsChange = Record<string, Change | string>
