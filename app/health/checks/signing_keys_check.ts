import { BaseCheck, Result } from '@adonisjs/core/health'
import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { listKeys, type KeyRecord } from '#auth/signing_keys/key_records'

const DAY_MS = 86_400_000

/** NIST SP 800-57 replaces a key after one to three years, because attackers had time to find it out. */
const OLD_MS = 366 * DAY_MS

const ROTATE = 'Run keys:rotate, or set KEY_ROTATION=90d.'
const DECRYPT = 'Put back the entry of APP_KEY that encrypted it, or run keys:rotate --now.'

export class SigningKeysCheck extends BaseCheck {
  name = 'signing keys'

  async run() {
    const keys = await listKeys()
    const lost = usesOf(keys).find((use) => !use.some(isSigning) && use.some(isPast))
    if (lost) {
      const failure = Result.failed(`APP_KEY decrypts no signing key for ${tokensOf(lost[0])}`)
      return failure.setMetaData({ remedy: DECRYPT })
    }
    const old = keys.find((key) => isSigning(key) && ageOf(key) >= OLD_MS)
    if (!old) return Result.ok(describe(keys))
    const message = `${describe(keys)}; the key for ${tokensOf(old)} is ${daysOf(old)} days old`
    return Result.warning(message).setMetaData({ remedy: ROTATE })
  }
}

/** The keys of access tokens, and of ID tokens by algorithm, as far as tokens are signed by them. */
function usesOf(keys: KeyRecord[]) {
  const uses = new Map<string, KeyRecord[]>()
  for (const key of keys.filter(isInUse)) {
    const name = tokensOf(key)
    uses.set(name, [...(uses.get(name) ?? []), key])
  }
  return [...uses.values()]
}

function isInUse({ purpose }: KeyRecord) {
  return purpose === 'access' ? settings.algorithm !== 'HS256' : oidc.isOn
}

function tokensOf({ purpose, algorithm }: KeyRecord) {
  return purpose === 'access' ? 'access tokens' : `ID tokens (${algorithm})`
}

const isSigning = ({ state }: KeyRecord) => state === 'signing'

const isPast = ({ state }: KeyRecord) => state === 'verifying' || state === 'expired'

const ageOf = ({ signsFrom }: KeyRecord) => Date.now() - signsFrom

const daysOf = (key: KeyRecord) => Math.floor(ageOf(key) / DAY_MS)

function describe(keys: KeyRecord[]) {
  const { algorithm } = settings
  if (algorithm === 'HS256')
    return `HS256 for access tokens; ${keys.length} ${keys.length === 1 ? 'key pair' : 'key pairs'}`
  const signer = keys.find((key) => key.purpose === 'access' && isSigning(key))
  if (!signer) return `${algorithm}; the first start makes a key`
  const others = keys.filter(({ state }) => state === 'published' || state === 'verifying').length
  const signers = keys.filter(isSigning).length - 1
  return `${signer.algorithm}, ${daysOf(signer)} days old; ${others + signers} other keys published`
}
