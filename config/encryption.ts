import { defineConfig, drivers } from '@adonisjs/core/encryption'
import { Secret } from '@adonisjs/core/helpers'
import env from '#start/env'

/** `mfa` has its own keyring, so that a rotation of this keyring keeps cookies valid. */
export function defineEncrypters() {
  const [appKeys, mfaKeys] = [env.get('APP_KEY'), env.get('MFA_ENCRYPTION_KEYS')]
  const secrets = (keys: string[]) => keys.map((key) => new Secret(key))
  return defineConfig({
    default: 'app',
    list: {
      app: drivers.aes256gcm({ id: 'app', keys: secrets(appKeys) }),
      audit: drivers.aes256gcm({ id: 'audit', keys: secrets(appKeys.slice(-1)) }),
      mfa: drivers.aes256gcm({ id: 'mfa', keys: secrets(mfaKeys) }),
    },
  })
}

export default defineEncrypters()

declare module '@adonisjs/core/types' {
  export interface EncryptorsList {
    app: any
    audit: any
    mfa: any
  }
}
