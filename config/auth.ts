import { defineConfig } from '@adonisjs/auth'
import type { InferAuthenticators } from '@adonisjs/auth/types'
import type {} from '@adonisjs/auth/initialize_auth_middleware'
import { apiGuard, webGuard } from '#auth/guards/define_config'

const authConfig = defineConfig({
  default: 'api',
  guards: {
    api: apiGuard(),
    web: webGuard(),
  },
})

export default authConfig

declare module '@adonisjs/auth/types' {
  export interface Authenticators extends InferAuthenticators<typeof authConfig> {}
}
