import { getActiveTestOrFail } from '@japa/runner'
import hash from '@adonisjs/core/services/hash'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'

/**
 * Makes every hash of a password (`make`) or comparison with it (`verify`) wait until the
 * test releases it. The test acts before the hash, however busy the machine is.
 *
 * @returns `begun`, which resolves when the first one waits, and `release`, which ends the wait
 */
export function holdHash(step: 'make' | 'verify', password: string) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const wait = async (given: string) => {
    if (given !== password) return
    begun.resolve()
    await end.promise
  }
  const { make, verify } = hash
  if (step === 'make') {
    hash.make = async (value) => {
      await wait(value)
      return make.call(hash, value)
    }
  } else {
    hash.verify = async (hashed, value) => {
      await wait(value)
      return verify.call(hash, hashed, value)
    }
  }
  getActiveTestOrFail().cleanup(() => {
    Object.assign(hash, { make, verify })
    end.resolve()
  })
  return { begun: begun.promise, release: () => end.resolve() }
}

/** For the rest of a test, calls `act` before each comparison with a hash of this format. */
export function beforeVerify(digest: string, act: () => unknown) {
  const format = findHashFormat(digest)!
  const { verify } = format
  format.verify = async (...given) => {
    await act()
    return verify(...given)
  }
  getActiveTestOrFail().cleanup(() => void (format.verify = verify))
}
