import env from '#start/env'
import { countCodesByKey } from '#auth/mfa/backup_codes'
import { keyId } from '#auth/tokens/keyring'
import { dropOldSecrets } from '#setup/environment/secrets'

export interface ShortenedKeyring {
  secrets: string[]
  keptFor: string | null
}

/**
 * Keeps each entry that protects a value which cannot be encrypted again.
 * @returns the keyring without its other old entries, and the reason for the kept ones
 */
export async function shorten(name: string): Promise<ShortenedKeyring> {
  const keyring = env.get(name as 'APP_KEY')
  if (name === 'APP_KEY') return shortenAppKey(keyring)
  if (name === 'MFA_ENCRYPTION_KEYS') return shortenMfaKeys(keyring)
  return { secrets: [keyring[0]], keptFor: null }
}

function shortenAppKey(keyring: string[]) {
  const secrets = dropOldSecrets(keyring, (secret) => secret === keyring.at(-1))
  return { secrets, keptFor: secrets.length > 1 ? 'the audit log' : null }
}

/** A new hash would need the code, so an entry stays until its codes are used or replaced. */
async function shortenMfaKeys(keyring: string[]) {
  const codes = await countCodesByKey()
  const secrets = dropOldSecrets(keyring, (key) => codes.has('unknown') || codes.has(keyId(key)))
  const ids = ['unknown', ...secrets.slice(1).map(keyId)]
  const count = ids.reduce((sum, id) => sum + (codes.get(id) ?? 0), 0)
  return { secrets, keptFor: secrets.length > 1 ? `${count} unused backup codes` : null }
}

/** @returns the number of unused backup codes that name an entry which no longer exists */
export async function countLostCodes() {
  const known = ['unknown', ...env.get('MFA_ENCRYPTION_KEYS').map(keyId)]
  const codes = [...(await countCodesByKey())]
  return codes.reduce((sum, [id, count]) => sum + (known.includes(id) ? 0 : count), 0)
}
