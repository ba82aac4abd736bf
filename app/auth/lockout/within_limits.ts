import { toProblem } from '#exceptions/problem'
import { throttleAddress, releaseAddressAttempt } from './address_throttle.ts'
import { retryLater } from '#auth/store/late_store'
import {
  throttleCode,
  throttleCurrentPassword,
  throttleLogin,
  releaseCodeAttempt,
  releasePasswordAttempt,
  releaseLoginAttempt,
} from './throttle.ts'
import type { AttemptKey } from './attempts.ts'

// A login that is answered with 503 has evaluated no password and must not count. Otherwise a right
// password that is sent again, as `Retry-After` asks, would be answered with 429.

interface Login extends AttemptKey {
  ip: string
}

export async function withinAddress<T>(ip: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleAddress('login', ip)
    return next()
  }
  return orRelease(steps, () => releaseAddressAttempt('login', ip))
}

export async function withinLogins<T>({ ip, ...counted }: Login, next: () => Promise<T>) {
  const steps = async () => {
    await throttleLogin(ip, counted)
    return next()
  }
  return orRelease(steps, () => releaseLoginAttempt(ip, counted))
}

/** `next` must evaluate the password and do nothing else. */
export function withinCurrentPasswords<T>(userId: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleCurrentPassword(userId)
    return next()
  }
  return orRelease(steps, () => releasePasswordAttempt(userId))
}

export function withinCodes<T>(userId: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleCode(userId)
    return next()
  }
  return orRelease(steps, () => releaseCodeAttempt(userId))
}

async function orRelease<T>(steps: () => Promise<T>, release: () => Promise<void>) {
  try {
    return await steps()
  } catch (error) {
    if (toProblem(error).status === 503) await release().catch(() => void releaseLater(release))
    throw error
  }
}

function releaseLater(release: () => Promise<void>) {
  return retryLater(async () => {
    await release()
    return true
  })
}
