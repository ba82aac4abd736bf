import { defineConfig, drivers } from '@adonisjs/core/encryption'
import { Secret } from '@adonisjs/core/helpers'

const key = new Secret('nothing is ever encrypted with this key')

export default defineConfig({
  default: 'app',
  list: { app: drivers.aes256gcm({ id: 'app', keys: [key] }) },
})
