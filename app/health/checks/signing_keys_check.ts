import { BaseCheck, Result } from '@adonisjs/core/health'
import settings from '#config/signing_keys'
import { listKeys } from '#auth/signing_keys/public_keys'

const DAY_MS = 86_400_000

/** NIST SP 800-57 replaces a key after one to three years, because attackers had time to find it out. */
const OLD_MS = 366 * DAY_MS

export class SigningKeysCheck extends BaseCheck {
  name = 'signing keys'

  async run() {
    const keys = await listKeys()
    const others = keys.filter(({ state }) => state === 'published' || state === 'verifying').length
    if (settings.algorithm === 'HS256') return Result.ok(withHs256(keys.length))
    const signer = keys.find(({ purpose, state }) => purpose === 'access' && state === 'signing')
    if (!signer) return withoutSigner(keys.length)
    const age = Date.now() - signer.signsFrom
    const days = Math.floor(age / DAY_MS)
    const message = `${signer.algorithm}, ${days} days old; ${others} other keys published`
    if (age < OLD_MS) return Result.ok(message)
    const remedy = 'Run keys:rotate, or set KEY_ROTATION=90d.'
    return Result.warning(message).setMetaData({ remedy })
  }
}

function withHs256(pairs: number) {
  return `HS256 for access tokens; ${pairs} key pairs`
}

function withoutSigner(keys: number) {
  if (keys === 0) return Result.ok(`${settings.algorithm}; the first start makes a key`)
  const remedy = 'Put back the entry of APP_KEY that encrypted it, or run keys:rotate --now.'
  return Result.failed('APP_KEY decrypts no signing key').setMetaData({ remedy })
}
