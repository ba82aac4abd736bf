/** The values of a field before and after a change. */
export interface Change<Value = unknown> {
  before: Value
  after: Value
}

/** The fields of a user that one change has changed, and the reason of a disabling. */
export type UserChange = Record<string, Change | string>

export type FailureReason = 'password' | 'code'

/** A failed attempt, with the e-mail that was tried. */
export interface Failure {
  email?: string
  reason: FailureReason
  attemptsRemaining?: number
  knownDevice?: true
}

export type Lock =
  { lockKind: 'administrator'; until: string } | (Failure & { lockKind: 'failures' })

/** A lock that the user with the e-mail gets a mail about. */
export interface Lockout {
  email: string
  /** In milliseconds since the epoch. */
  until: number
  reason: FailureReason
}

export interface EndedSessions {
  endedSessions: number
}

/** Sign-in methods that went with a reset, or came after what was reported. */
export interface RemovedMethods {
  /** The names of providers. */
  unlinked?: string[]
  removedPasskeys?: number
  revokedKeys?: number
  removedMfa?: boolean
}

export type Recovery = EndedSessions & RemovedMethods & { withdrawnDevices: number }

/** The names of removed passkeys, which mails tell and the trail only counts. */
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

/** A refresh token or code that was used again. */
export interface ReusedToken {
  sessionId: string
  deviceName?: string
  clientId?: string
  /** False where the second use came so soon that it ended nothing. */
  isEnded?: false
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

export interface ClientDetails {
  clientId: string
  name: string
  kind: string
  endedSessions?: number
}

/** A session with an application that was ended before its time. */
export interface EndedGrant {
  id: string
  clientId: string
}

/** A user whom a mail can be sent to. */
export interface Addressee {
  id: string
  email: string
}
