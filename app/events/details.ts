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

/** The user with the e-mail gets a mail about the lock. */
export interface Lockout {
  email: string
  /** In milliseconds since the epoch. */
  until: number
  reason: FailureReason
}

export interface EndedSessions {
  endedSessions: number
}

/** Removed by a reset or a report. */
export interface RemovedMethods {
  /** The names of providers. */
  unlinked?: string[]
  removedPasskeys?: number
  revokedKeys?: number
  removedMfa?: boolean
  /** What was added stays, because the last administrator could not sign in without it. */
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
  /** What the provider says of the groups of the user; absent if it says nothing. */
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

/** What was restored, and when it was made. */
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

/** The fields of a new or deleted client that differ from the defaults stand beside, as changes. */
export interface ClientDetails {
  clientId: string
  name: string
  kind: string
  endedSessions?: number
}

/** The name that the group had. */
export interface GroupDetails {
  groupId: string
  group: string
}

/** The name that the webhook had. Of its address the host: a path may hold a secret. */
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

/** By the name of the setting; secrets and pictures are `changed`. */
export type SettingsChange = Record<string, Change | string>
