import encryption from '@adonisjs/core/services/encryption'

/*
 | A secret is stored with the server that it is for: the thief of a session must not send it to
 | another server by changing only the address.
 */

interface BoundSecret {
  secret: string
  for: string
}

export const settingPurpose = (key: string) => `setting:${key}`

export const providerPurpose = (name: string) => `external_provider:${name}`

export function encryptSecret(secret: string, server: string, purpose: string) {
  return encryption.encrypt({ secret, for: server } satisfies BoundSecret, { purpose })
}

/** Returns null for another server, or if no entry of `APP_KEY` decrypts it. */
export function decryptSecret(sealed: string, server: string, purpose: string): string | null {
  const bound = encryption.decrypt<BoundSecret>(sealed, purpose)
  return bound?.for === server ? bound.secret : null
}

export function decryptSettingSecret(
  { key, value }: { key: string; value: string },
  server: string
) {
  return decryptSecret(value, server, settingPurpose(key))
}

interface Provider {
  name: string
  issuer: string
  clientSecret: string
}

export function encryptProviderSecret({ name, issuer, clientSecret }: Provider) {
  return encryptSecret(clientSecret, issuer, providerPurpose(name))
}

type Sealed = Omit<Provider, 'clientSecret'> & { clientSecret: string | null }

export function decryptProviderSecret({ name, clientSecret }: Sealed, issuer: string) {
  return clientSecret && decryptSecret(clientSecret, issuer, providerPurpose(name))
}
