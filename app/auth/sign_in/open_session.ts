import db from '@adonisjs/lucid/services/db'
import { E_INVALID_CREDENTIALS, E_INVALID_MFA_TOKEN } from '#auth/errors'
import { claimInputsOf } from '#auth/claims/claim_inputs'
import { clearAttempts } from '#auth/lockout/attempts'
import { liftLockByFailures } from '#auth/lockout/lift_lock'
import { clearCodeWindow } from '#auth/mfa/code_attempts'
import { answerChallenges, closeChallenge } from '#auth/mfa/challenge'
import { hashPassword, isHashOutdated } from '#auth/passwords/password_hash'
import { findNewDevice } from '#auth/devices/new_device'
import { amrOf, areGuessable, areMultiFactor, METHODS, traitsOf } from '#auth/methods/methods'
import { rememberDevice } from '#auth/devices/recognition'
import { addSession, prepareSession, type StartedSession } from '#auth/sessions/sessions'
import { issueSessionToken } from '#auth/tokens/session_token'
import { E_BUSY } from '#exceptions/http_errors'
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
 * Fails if the lock, role, password or second factor has changed since the user was verified.
 * @throws E_INVALID_CREDENTIALS, E_INVALID_MFA_TOKEN, E_PASSKEY_INVALID, `CodeUsed`
 */
export async function openSession(candidate: Candidate): Promise<SignedIn> {
  const before = { rehashed: await rehash(candidate), ...(await prepare(candidate)) }
  const { user, started, deviceToken } = await db.transaction((trx) =>
    start(candidate, before, trx)
  )
  const accessToken = await issueSessionToken(user, started.session, claimInputsOf(user))
  return { outcome: 'signed_in', user, accessToken, deviceToken, ...started }
}

/** Another sign-in was faster with the same code. */
export class CodeUsed extends Error {
  name = 'CodeUsed'
}

interface Prepared {
  rehashed: string | null
  prepared?: StartedSession
  storeCompanion?: ((trx: Transaction) => Promise<void>) | null
}

// A companion is allowed only if no method changes the user within the transaction.
async function prepare(candidate: Candidate): Promise<Omit<Prepared, 'rehashed'>> {
  const { user, companion } = candidate
  if (!companion) return {}
  const prepared = prepareSessionOf(user, candidate)
  return { prepared, storeCompanion: await companion(user, prepared.session) }
}

async function start(
  candidate: Candidate,
  { rehashed, prepared, storeCompanion }: Prepared,
  trx: Transaction
) {
  const signedInAt = Date.now()
  if (!(await markSignedIn(candidate, rehashed, trx))) throw new E_INVALID_CREDENTIALS()
  if (candidate.useCode && !(await candidate.useCode(trx))) throw new CodeUsed()
  await liftLock(candidate, trx)
  await useChallenge(candidate, trx)
  const user = await useMethods(candidate, trx)
  await forgetFailures(user, candidate, trx)
  const started = prepared ?? prepareSessionOf(user, candidate)
  await addSession(started.session, trx)
  const signIn = { candidate, started, signedInAt }
  const newDevice = await findNewDeviceOf(user, signIn, trx)
  const deviceToken = await recogniseDevice(user, signIn, trx)
  await recordSignIn(user, { candidate, started, newDevice }, trx)
  await storeCompanion?.(trx)
  return { user, started, deviceToken }
}

// Only the owner has an unguessable method, so this method lifts a lock after failures.
async function liftLock({ user, device, verifiedMethods }: Candidate, trx: Transaction) {
  const unguessable = verifiedMethods.find(({ method }) => !METHODS[method].isGuessable)
  if (!unguessable) return
  const actor = userActor(user.id, device)
  await liftLockByFailures(user, { actor, method: unguessable.method }, trx)
}

// A challenge starts only one session, even if several right codes arrive at the same time.
async function useChallenge({ mfaToken }: Candidate, trx: Transaction) {
  if (mfaToken && !(await closeChallenge(mfaToken, trx))) throw new E_INVALID_MFA_TOKEN()
}

async function useMethods({ user, device, verifiedMethods }: Candidate, trx: Transaction) {
  const actor = userActor(user.id, device)
  let used = user
  for (const method of verifiedMethods)
    used = await traitsOf(method).use(used, method, { actor, trx })
  return used
}

function prepareSessionOf(user: User, candidate: Candidate) {
  return prepareSession(user, { device: candidate.device, ...authenticationOf(candidate) })
}

// The last method determines when the user authenticated.
function authenticationOf({ user, method, verifiedMethods }: Candidate) {
  const last = verifiedMethods.at(-1)!
  const authenticatedAt = traitsOf(last).verifiedAt(last)
  return {
    method,
    amr: amrOf(verifiedMethods, { hasCode: Boolean(user.mfaEnabled) }),
    authenticatedAt,
  }
}

// A known device clears only its own failures; an unguessable method clears both counts.
async function forgetFailures(user: User, candidate: Candidate, trx: Transaction) {
  const { device, knownDevice, verifiedMethods, mfaToken } = candidate
  const { email } = user
  await clearAttempts({ email, knownDevice }, trx)
  if (knownDevice && !areGuessable(verifiedMethods)) await clearAttempts({ email }, trx)
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

async function recogniseDevice(
  user: User,
  { candidate, started: { session } }: SignIn,
  trx: Transaction
) {
  const { recognition } = candidate.device
  const passwordChangedAt = user.passwordChangedAt!.toMillis()
  return rememberDevice({ recognition, session, passwordChangedAt }, trx)
}

// The stored hash may have an older cost or another algorithm.
async function rehash({ user, password }: Candidate) {
  if (!password || !isHashOutdated(user.password!)) return null
  return hashPassword(password).catch(nullIfBusy)
}

// A full queue must not refuse a right password: the next sign-in renews the hash instead.
function nullIfBusy(error: unknown) {
  if (error instanceof E_BUSY) return null
  throw error
}

async function recordSecondStep(userId: string, device: Device, trx: Transaction) {
  await answerChallenges(userId, device, trx)
  await clearCodeWindow(userId, trx)
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
  const { device, method, verifiedMethods } = candidate
  const mfa = Boolean(candidate.user.mfaEnabled) || areMultiFactor(verifiedMethods)
  const details = { sessionId: session.id, deviceName: session.deviceName, method, mfa }
  const actor = userActor(user.id, device)
  await record(trx, { type: 'login.succeeded', user, actor, details, context: { newDevice } })
}
