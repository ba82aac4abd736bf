import db from '@adonisjs/lucid/services/db'
import { hasSecondStep } from '#auth/sessions/required_factors'
import { E_INVALID_CREDENTIALS } from '#auth/errors'
import { anonymousActor } from '#audit/actor'
import { areMultiFactor } from '#auth/methods/methods'
import { reserveCode } from '#auth/mfa/code_attempts'
import { recordWrongCode } from '#auth/mfa/wrong_codes'
import lockout from '#config/lockout'
import { openChallenge } from '#auth/mfa/challenge'
import { findCode } from '#auth/mfa/codes'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { lacksVerifiedEmail } from '#models/verified_email'
import { releaseOnError, releaseAttempts, type Candidate } from './candidate.ts'
import { CodeUsed, openSession } from './open_session.ts'
import { orRecordLocked } from './refused_while_locked.ts'
import { failureResult, stopSignIn } from './stop_sign_in.ts'
import type { SignInResult, StoppedSignIn } from './result.ts'
import User from '#models/user'

export async function continueSignIn(candidate: Candidate): Promise<SignInResult> {
  const { user, code, verifiedMethods, mfaToken } = candidate
  const reason = refusalReason(user)
  if (reason) return stopSignIn(candidate, { outcome: reason })
  if (user.mustChangePassword && candidate.method === 'password')
    return requirePasswordChange(candidate)
  if (areMultiFactor(verifiedMethods) || !hasSecondStep(user)) return complete(candidate)
  const hasAnswer = Boolean(code) && (Boolean(user.mfaEnabled) || mfaToken !== undefined)
  return hasAnswer ? completeSecondStep(await withChallenge(candidate)) : requireCode(candidate)
}

async function complete(candidate: Candidate): Promise<SignInResult> {
  const opened = await releaseOnError(candidate, () => openSession(candidate).catch(codeUsed))
  return opened ?? refuseUsedCode(candidate)
}

function codeUsed(error: unknown) {
  if (error instanceof CodeUsed) return null
  throw error
}

// A code beside the password also gets a challenge: the owner is told about one that stays open.
async function withChallenge(candidate: Candidate) {
  if (candidate.mfaToken) return candidate
  const { mfaToken } = await releaseOnError(candidate, () => openMfaChallenge(candidate))
  return { ...candidate, mfaToken }
}

// A right code that was already used is not a guess: only one of parallel requests can use it.
async function completeSecondStep(candidate: Candidate): Promise<SignInResult> {
  const { user } = candidate
  const code = candidate.code!
  const codeAttempt = await releaseOnError(candidate, () =>
    orRecordLocked({ ...candidate, email: user.email }, () => reserveCode(user, code))
  )
  const reserved = { ...candidate, codeAttempt }
  const found = await releaseOnError(reserved, () => findCode(user, code))
  return found ? complete({ ...reserved, useCode: found }) : refuseWrongCode(reserved)
}

async function refuseUsedCode(candidate: Candidate): Promise<StoppedSignIn> {
  const attemptsRemaining = lockout.threshold - candidate.codeAttempt!.number + 1
  return stopSignIn(candidate, { outcome: 'wrong_code', attemptsRemaining })
}

// Returns the attempt of the password, which was right; the code stays counted.
async function refuseWrongCode({ codeAttempt, ...candidate }: Candidate) {
  const { user, device } = candidate
  await releaseAttempts(candidate)
  const actor = anonymousActor(device)
  const failure = await recordWrongCode({ user, attempt: codeAttempt!, actor })
  return failureResult('wrong_code', failure)
}

function refusalReason(user: User) {
  if (user.isDisabled) return 'disabled'
  return lacksVerifiedEmail(user.isEmailVerified) ? 'unverified' : null
}

function openMfaChallenge({ user, device, method, verifiedMethods: [first] }: Candidate) {
  const { identity } = { identity: undefined, ...first }
  return openChallenge({ user, device, method, identity })
}

// A right password by itself clears no failures: they count until the second step succeeds.
async function requireCode(candidate: Candidate) {
  const challenge = await openMfaChallenge(candidate)
  return stopSignIn(candidate, { outcome: 'mfa_required', ...challenge })
}

// No session starts before the new password is set: the next sign-in asks for the second factor.
async function requirePasswordChange(candidate: Candidate) {
  const resetToken = await releaseOnError(candidate, () => issueChangeToken(candidate))
  return stopSignIn(candidate, { outcome: 'password_change_required', resetToken })
}

// Refuses a password that was replaced while it was verified: it must not set the next password.
async function issueChangeToken({ user: { id, passwordChangedAt } }: Candidate) {
  return db.transaction(async (trx) => {
    const user = await User.lockForUpdate(id, trx)
    const isUnchanged = user?.passwordChangedAt?.toMillis() === passwordChangedAt!.toMillis()
    if (!user || !isUnchanged) throw new E_INVALID_CREDENTIALS()
    return issueOneTimeToken(user, { purpose: 'password_change' }, trx)
  })
}
