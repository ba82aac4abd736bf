import { BaseCheck } from '@adonisjs/core/health'
import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { failed, passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { listKeys, type KeyRecord } from '#auth/signing_keys/key_records'

const DAY_MS = 86_400_000

/** NIST SP 800-57 replaces a key after one to three years: attackers have had time to find it. */
const OLD_MS = 366 * DAY_MS

export class SigningKeysCheck extends BaseCheck {
  name = 'signing keys'

  async run() {
    const keys = await listKeys()
    const lost = usesOf(keys).find((use) => !use.some(isSigning) && use.some(isPast))
    if (lost) {
      return failed(
        sentence('signing_keys.lost', usedFor(lost[0])),
        sentence('signing_keys.decrypt')
      )
    }
    const old = keys.find((key) => isSigning(key) && ageOf(key) >= OLD_MS)
    if (!old) return passed(describe(keys))
    const age = sentence('signing_keys.old', { ...usedFor(old), days: daysOf(old) })
    return warning([describe(keys), age], sentence('signing_keys.rotate'))
  }
}

/** Groups the keys that are in use: for access tokens, and for ID tokens by algorithm. */
function usesOf(keys: KeyRecord[]) {
  const uses = new Map<string, KeyRecord[]>()
  for (const key of keys.filter(isInUse)) {
    const name = Object.values(usedFor(key)).join()
    uses.set(name, [...(uses.get(name) ?? []), key])
  }
  return [...uses.values()]
}

function isInUse({ purpose }: KeyRecord) {
  return purpose === 'access' ? settings.algorithm !== 'HS256' : oidc.isOn
}

function usedFor({ purpose, algorithm }: KeyRecord) {
  return { purpose, algorithm: purpose === 'access' ? '' : algorithm }
}

const isSigning = ({ state }: KeyRecord) => state === 'signing'

const isPast = ({ state }: KeyRecord) => state === 'verifying' || state === 'expired'

const ageOf = ({ signsFrom }: KeyRecord) => Date.now() - signsFrom

const daysOf = (key: KeyRecord) => Math.floor(ageOf(key) / DAY_MS)

function describe(keys: KeyRecord[]) {
  const { algorithm } = settings
  if (algorithm === 'HS256') return sentence('signing_keys.shared', { count: keys.length })
  const signer = keys.find((key) => key.purpose === 'access' && isSigning(key))
  if (!signer) return sentence('signing_keys.none', { algorithm })
  const others = keys.filter(({ state }) => state === 'published' || state === 'verifying').length
  const signers = keys.filter(isSigning).length - 1
  const published = { days: daysOf(signer), others: others + signers }
  return sentence('signing_keys.good', { algorithm: signer.algorithm, ...published })
}
