import encryption from '@adonisjs/core/services/encryption'

/* Secrets are encrypted and not hashed, because each delivery is signed with one. */

/** Receivers have a day to replace the previous secret. */
export const PREVIOUS_SECRET_MS = 86_400_000

export const secretPurpose = (id: string) => `webhook secret ${id}`

export function encryptSecret(id: string, secret: string) {
  return encryption.encrypt(secret, { purpose: secretPurpose(id) })
}

/** @throws if `APP_KEY` no longer has the entry that encrypted a secret */
export function decryptSecrets(
  { id, secret, previous_secret: previous }: StoredSecrets,
  isPreviousGood: boolean
) {
  const stored = [secret, ...(previous !== null && isPreviousGood ? [previous] : [])]
  return stored.map((each) => {
    const plain = encryption.decrypt<string>(each, secretPurpose(id))
    if (plain === null) throw new Error(LOST)
    return plain
  })
}

/** Returns false also for a secret that cannot be decrypted: a rotation replaces it. */
export function isSecret(webhookId: string, stored: string | null, secret: string) {
  return stored !== null && encryption.decrypt(stored, secretPurpose(webhookId)) === secret
}

const LOST =
  'The secret of a webhook cannot be decrypted: put the previous entry of APP_KEY back, or rotate the secret'

interface StoredSecrets {
  id: string
  secret: string
  previous_secret: string | null
}
