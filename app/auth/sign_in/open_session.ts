import db from '@adonisjs/lucid/services/db'
import { E_INVALID_CREDENTIALS, E_INVALID_MFA_TOKEN, E_PASSKEY_INVALID } from '#auth/errors'
import { useIdentity } from '#auth/external/link_identity'
import { clearAttempts } from '#auth/lockout/attempts'
import { liftLockByFailures } from '#auth/lockout/lift_lock'
import { clearCodeWindow } from '#auth/mfa/code_attempts'
import { answerChallenges, closeChallenge } from '#auth/mfa/challenge'
import { hashPassword, isHashOutdated } from '#auth/passwords/password_hash'
import { findPasskey } from '#auth/passkeys/passkey_rows'
import { authenticationBy, NEVER } from '#auth/sessions/authentication'
import { findNewDevice } from '#auth/devices/new_device'
import { rememberDevice } from '#auth/devices/recognition'
import { startSession, type StartedSession } from '#auth/sessions/sessions'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import { record } from '#events/record'
import { userActor } from '#audit/actor'
import type { NewDevice } from '#events/details'
import type { Device } from '#auth/sessions/device'
import { markSignedIn } from './mark_signed_in.ts'
import type { Candidate } from './candidate.ts'
import type { SignedIn } from './result.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/**
 * Starts the session of a candidate who has passed every step. A user who was disabled,
 * locked or deleted meanwhile, or got another role, password or second factor, gets no
 * session: the steps proved an older state.
 *
 * @throws E_INVALID_CREDENTIALS, E_INVALID_MFA_TOKEN, E_PASSKEY_INVALID
 */
export async function openSession(candidate: Candidate): Promise<SignedIn> {
  const rehashed = await rehash(candidate)
  const { user, started, deviceToken } = await db.transaction((trx) =>
    start(candidate, rehashed, trx)
  )
  const accessToken = await issueAccessToken(user, started.session.id)
  return { outcome: 'signed_in', user, accessToken, deviceToken, ...started }
}

async function start(candidate: Candidate, rehashed: string | null, trx: Transaction) {
  const { device } = candidate
  const signedInAt = Date.now()
  if (!(await markSignedIn(candidate, rehashed, trx))) throw new E_INVALID_CREDENTIALS()
  await assertPasskeyKept(candidate, trx)
  await liftLock(candidate, trx)
  await useChallenge(candidate, trx)
  const user = await withIdentity(candidate, trx)
  await forgetFailures(user, candidate, trx)
  const proof = { ...authenticationOf(candidate), authenticatedAt: provedAt(candidate) }
  const started = await startSession(user, { device, ...proof }, trx)
  const signIn = { candidate, started, signedInAt }
  const newDevice = await findNewDeviceOf(user, signIn, trx)
  const deviceToken = await recogniseDevice(user, signIn, trx)
  await recordSignIn(user, { candidate, started, newDevice }, trx)
  return { user, started, deviceToken }
}

/** A passkey lifts the lock after failures: it proves that the owner signs in, and not a guesser. */
async function liftLock({ user, device, passkey }: Candidate, trx: Transaction) {
  if (!passkey) return
  const proof = { actor: userActor(user.id, device), method: 'passkey' } as const
  await liftLockByFailures(user, proof, trx)
}

function authenticationOf({ user, method, passkey }: Candidate) {
  return authenticationBy(method, { hasCode: Boolean(user.mfaEnabled), passkey })
}

/**
 * When the user authenticated, in milliseconds; undefined is now, as the session starts. A provider
 * that names no time has proved nothing recent.
 */
function provedAt({ identity, passkey }: Candidate) {
  return identity && !passkey ? (identity.authenticatedAt ?? NEVER) : undefined
}

/** A passkey that was removed since it answered starts nothing; its user's row is locked by now. */
async function assertPasskeyKept({ user, passkey }: Candidate, trx: Transaction) {
  const owned = passkey && { id: passkey.id, userId: user.id }
  if (owned && !(await findPasskey(owned, trx))) throw new E_PASSKEY_INVALID()
}

/**
 * A known device clears its own failures: those of strangers go on counting against them. A
 * passkey clears both, as it lifts the lock that they led to.
 */
async function forgetFailures(user: User, candidate: Candidate, trx: Transaction) {
  const { device, knownDevice, passkey, mfaToken } = candidate
  const { email } = user
  await clearAttempts({ email, knownDevice }, trx)
  if (passkey && knownDevice) await clearAttempts({ email }, trx)
  if (user.mfaEnabled || mfaToken) await recordSecondStep(user.id, device, trx)
}

interface SignIn {
  candidate: Candidate
  started: StartedSession
  /** In milliseconds since the epoch. */
  signedInAt: number
}

async function findNewDeviceOf(
  user: User,
  { candidate, started: { session }, signedInAt }: SignIn,
  trx: Transaction
) {
  if (candidate.knownDevice) return null
  const isFirst = !candidate.user.lastLoginAt
  return findNewDevice(user, { session, signedInAt, isFirst }, trx)
}

/** Makes the device known for the next sign-in. */
async function recogniseDevice(
  user: User,
  { candidate, started: { session } }: SignIn,
  trx: Transaction
) {
  const { recognition } = candidate.device
  const passwordChangedAt = user.passwordChangedAt!.toMillis()
  return rememberDevice({ recognition, session, passwordChangedAt }, trx)
}

/** Hashes the password again if the stored hash has an older cost or another algorithm. */
async function rehash({ user, password }: Candidate) {
  if (!password || !isHashOutdated(user.password!)) return null
  return hashPassword(password)
}

/** A challenge starts one session, even if several right codes arrive at once. */
async function useChallenge({ mfaToken }: Candidate, trx: Transaction) {
  if (mfaToken && !(await closeChallenge(mfaToken, trx))) throw new E_INVALID_MFA_TOKEN()
}

async function recordSecondStep(userId: string, device: Device, trx: Transaction) {
  await answerChallenges(userId, device, trx)
  await clearCodeWindow(userId, trx)
}

/** The user of the session, to whom the identity of an external login is linked by now. */
async function withIdentity({ user, identity, device }: Candidate, trx: Transaction) {
  if (!identity) return user
  return useIdentity(user.id, { identity, actor: userActor(user.id, device) }, trx)
}

interface RecordedSignIn {
  candidate: Candidate
  started: StartedSession
  newDevice: NewDevice | null
}

async function recordSignIn(
  user: User,
  { candidate, started: { session }, newDevice }: RecordedSignIn,
  trx: Transaction
) {
  const { device, method, passkey } = candidate
  const mfa = Boolean(candidate.user.mfaEnabled || passkey)
  const details = { sessionId: session.id, deviceName: session.deviceName, method, mfa }
  const actor = userActor(user.id, device)
  await record(trx, { type: 'login.succeeded', user, actor, details, context: { newDevice } })
}
