import { defineConfig } from '@adonisjs/auth'
import type { InferAuthenticators } from '@adonisjs/auth/types'
import type {} from '@adonisjs/auth/initialize_auth_middleware'
import { apiGuard } from '#auth/guards/api/define_config'
import { webGuard } from '#auth/guards/web/define_config'

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
