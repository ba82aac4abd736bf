import app from '@adonisjs/core/services/app'
import encryption from '@adonisjs/core/services/encryption'
import { EncryptionManager } from '@adonisjs/core/encryption'
import env from '#start/env'
import { defineEncrypters } from '#config/encryption'
import { secretsFile, readSecrets, replaceSecrets } from '#setup/environment/secrets_file'
import type { Keyrings } from '#backup/keyrings'

/** From now on this process encrypts and signs with the keyrings of the archive. */
export async function useKeyrings(keyrings: Partial<Keyrings>) {
  for (const [name, secrets] of Object.entries(keyrings)) env.set(name as 'APP_KEY', secrets)
  const manager = new EncryptionManager(await defineEncrypters().resolver(app))
  encryption.use = manager.use.bind(manager)
}

/** Writes the keyrings to the file from which the next start reads them. */
export function keepKeyrings(keyrings: Partial<Keyrings>) {
  if (Object.keys(keyrings).length === 0) return
  const file = secretsFile(env.get('DATA_DIR'))
  const entries = Object.entries(keyrings).map(([name, secrets]) => [name, secrets.join(',')])
  replaceSecrets(file, { ...readSecrets(file), ...Object.fromEntries(entries) })
}
