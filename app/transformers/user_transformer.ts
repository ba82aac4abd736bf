import { BaseTransformer } from '@adonisjs/core/transformers'
import type { DateTime } from 'luxon'
import type User from '#models/user'
import type { LockKind, UserKind } from '#models/user'
import { parseMetadata, type Metadata } from '#models/metadata'

export interface UserRecord {
  id: string
  kind: UserKind
  /** Null for a service account. */
  email: string | null
  emailVerified: boolean
  pendingEmail: string | null
  username: string
  handle: string
  nickname: string | null
  role: string
  avatar: string | null
  provider: string | null
  providerId: string | null
  mfaEnabled: boolean
  lockedUntil: string | null
  disabled: boolean
  lastLoginAt: string | null
  createdAt: string
  updatedAt: string
}

export interface UserRecordForAdmins extends UserRecord {
  /** Null while the user is not locked. */
  lockKind: LockKind | null
}

interface WithMetadata {
  metadata: Metadata
  /** Not for an application, whose token shows this record. */
  appMetadata?: Metadata
}

export type SingleRecord = UserRecord & WithMetadata
export type SingleRecordForAdmins = UserRecordForAdmins & WithMetadata

export interface Reader {
  client?: unknown
}

function iso(instant: DateTime | null | undefined) {
  return instant?.toUTC().toISO() ?? null
}

/** An explicit list of fields, so that a new column stays private. */
export default class UserTransformer extends BaseTransformer<User> {
  toObject(): UserRecord {
    const user = this.resource
    return {
      id: user.id,
      kind: user.isService ? 'service' : 'person',
      email: user.mailbox,
      emailVerified: user.isEmailVerified,
      pendingEmail: user.currentPendingEmail,
      username: user.username,
      handle: user.handle,
      nickname: user.nickname ?? null,
      role: user.role,
      avatar: user.avatar ?? null,
      provider: user.provider ?? null,
      providerId: user.providerId ?? null,
      mfaEnabled: Boolean(user.mfaEnabled),
      lockedUntil: user.isLocked() ? iso(user.lockedUntil) : null,
      disabled: user.isDisabled,
      lastLoginAt: iso(user.lastLoginAt),
      createdAt: iso(user.createdAt)!,
      updatedAt: iso(user.updatedAt)!,
    }
  }

  forAdmins(): UserRecordForAdmins {
    return { ...this.toObject(), lockKind: this.resource.currentLockKind }
  }

  /** Lists have no metadata, which may be long. */
  single(reader: Reader): SingleRecord {
    return { ...this.toObject(), ...this.#metadata(reader) }
  }

  singleForAdmins(reader: Reader): SingleRecordForAdmins {
    return { ...this.forAdmins(), ...this.#metadata(reader) }
  }

  #metadata({ client }: Reader): WithMetadata {
    const { metadata, appMetadata } = this.resource
    const own = { metadata: parseMetadata(metadata) }
    return client ? own : { ...own, appMetadata: parseMetadata(appMetadata) }
  }
}
