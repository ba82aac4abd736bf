import { COST_LIMITS, decodeBase64, isKeyLength, isWithin, type HashFormat } from './hash_format.ts'

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]+)$/

export const argon2Hash: HashFormat = {
  accepts(stored) {
    const [, memory, passes, lanes, salt, key] = ARGON2.exec(stored) ?? []
    if (!key || ![salt, key].every(isExact) || !isKeyLength(decodeBase64(key))) return false
    const [m, t, p] = [memory, passes, lanes].map(Number)
    const isValid = t >= 1 && p >= 1 && p <= 16 && m >= 8 * p
    return isValid && m >= COST_LIMITS.argon2.least && isWithin(m * t, COST_LIMITS.argon2)
  },
  async verify(stored, password) {
    const { verify } = await import('@node-rs/argon2')
    return verify(stored, password)
  },
}

// The library refuses base64 whose last character has bits that encode nothing.
function isExact(base64: string) {
  return decodeBase64(base64).toString('base64').replace(/=+$/, '') === base64
}
