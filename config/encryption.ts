import { defineConfig, drivers } from '@adonisjs/core/encryption'
import { Secret } from '@adonisjs/core/helpers'
import env from '#start/env'

/** `mfa` has a keyring of its own, so that its rotation keeps cookies valid. */
export default defineConfig({
  default: 'app',
  list: {
    app: drivers.aes256gcm({ id: 'app', keys: env.get('APP_KEY').map((key) => new Secret(key)) }),
    audit: drivers.aes256gcm({ id: 'audit', keys: [new Secret(env.get('APP_KEY').at(-1)!)] }),
    mfa: drivers.aes256gcm({
      id: 'mfa',
      keys: env.get('MFA_ENCRYPTION_KEYS').map((key) => new Secret(key)),
    }),
  },
})

declare module '@adonisjs/core/types' {
  export interface EncryptorsList {
    app: any
    audit: any
    mfa: any
  }
}
