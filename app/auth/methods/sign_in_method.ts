import type { Actor } from '#audit/actor'
import type { ConfirmedIdentity } from '#auth/external/link_identity'
import type { UsedPasskey } from '#auth/passkeys/use_passkey'
import type { RemovedMethods, RemovedPasskeys } from '#events/details'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/**
 * Add a method here. The compiler names all that is missing but routes (`start/routes/auth.ts`),
 * pages (`app/pages/sign_in`) and texts (`sign_in.json`). Add a second factor in `app/auth/mfa`.
 */
interface VerifiedMethods {
  password: object
  external: { identity: ConfirmedIdentity }
  passkey: UsedPasskey
}

export type SignInMethod = keyof VerifiedMethods

const EACH = { password: true, passkey: true, external: true } satisfies Record<SignInMethod, true>

/** For modules that need no traits, so that they load none. */
export const SIGN_IN_METHODS = Object.keys(EACH) as SignInMethod[]

export type VerifiedMethod<M extends SignInMethod = SignInMethod> = {
  [N in M]: { method: N } & VerifiedMethods[N]
}[M]

export type VerifiedSession = Pick<SessionRecord, 'userId' | 'method' | 'amr'>

export interface SignInTransaction {
  actor: Actor
  trx: Transaction
}

export interface MethodTraits<M extends SignInMethod = SignInMethod> {
  name: M
  /** Attempts are counted, and a lock after failures refuses them. */
  isGuessable: boolean
  isMultiFactor: boolean
  /** Authentication method references (RFC 8176). */
  amr(method: VerifiedMethod<M>): string[]
  /** Returns milliseconds, or undefined for a method that was verified just now. */
  verifiedAt(method: VerifiedMethod<M>): number | undefined
  /** Restores the first step from its challenge; null for a method without a second step. */
  restore(identity?: ConfirmedIdentity): VerifiedMethod<M> | null
  use(user: User, method: VerifiedMethod<M>, transaction: SignInTransaction): Promise<User>
  hasVerified(session: VerifiedSession): boolean | Promise<boolean>
  isEnrolled(user: User): boolean
  isLeft(user: User, removed: string | null, trx: Transaction): boolean | Promise<boolean>
  orWhereUsable(query: DatabaseQueryBuilderContract, trx: Transaction): unknown
  /** Null for the password, which can be replaced but not removed. */
  credentials: Credentials | null
}

export interface Credentials {
  key: string
  list(userId: string): Promise<object[]>
  /** What the owner of a reset link may know before the sign-in. */
  summarize(credential: object): object
  /** ISO 8601. */
  addedAt(credential: object): string
  /** @param at in milliseconds since the epoch */
  removeSince(userId: string, at: number, trx: Transaction): Promise<RemovedCredentials>
}

export type RemovedCredentials = { removed: RemovedMethods } & Partial<RemovedPasskeys>
