import { toProblem } from '#exceptions/problem'
import { throttleAddress, uncountAddress } from './address_throttle.ts'
import { retryLater } from './late_store.ts'
import {
  throttleCode,
  throttleCurrentPassword,
  throttleLogin,
  releaseCodeAttempt,
  uncountCurrentPassword,
  uncountLogin,
} from './throttle.ts'
import type { Counted } from './attempts.ts'

/*
 | A login or confirmation that is answered 503, because the hash queue was full or the store
 | late, has evaluated no password. It must not count: a right password that is sent again, as
 | `Retry-After` asks, would end in 429.
 */

interface Login extends Counted {
  ip: string
}

/** Counts a login against its address, and takes that back where `next` is answered 503. */
export async function withinAddress<T>(ip: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleAddress('login', ip)
    return next()
  }
  return orUncount(steps, () => uncountAddress('login', ip))
}

/** Counts a login against its e-mail or known device, likewise. */
export async function withinLogins<T>({ ip, ...counted }: Login, next: () => Promise<T>) {
  const steps = async () => {
    await throttleLogin(ip, counted)
    return next()
  }
  return orUncount(steps, () => uncountLogin(ip, counted))
}

/** Counts a current password of a user, likewise. `next` evaluates it and does nothing else. */
export function withinCurrentPasswords<T>(userId: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleCurrentPassword(userId)
    return next()
  }
  return orUncount(steps, () => uncountCurrentPassword(userId))
}

/** Counts a code that a user gives within a session, likewise. */
export function withinCodes<T>(userId: string, next: () => Promise<T>) {
  const steps = async () => {
    await throttleCode(userId)
    return next()
  }
  return orUncount(steps, () => releaseCodeAttempt(userId))
}

async function orUncount<T>(steps: () => Promise<T>, uncount: () => Promise<void>) {
  try {
    return await steps()
  } catch (error) {
    if (toProblem(error).status === 503) await uncount().catch(() => void uncountLater(uncount))
    throw error
  }
}

function uncountLater(uncount: () => Promise<void>) {
  return retryLater(async () => {
    await uncount()
    return true
  })
}
