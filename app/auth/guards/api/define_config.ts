import type { HttpContext } from '@adonisjs/core/http'
import type { GuardConfigProvider } from '@adonisjs/auth/types'
import { ApiGuard } from './api_guard.ts'

/** The guard of the API, for `config/auth.ts`. */
export function apiGuard(): GuardConfigProvider<(ctx: HttpContext) => ApiGuard> {
  return { type: 'provider', resolver: async () => (ctx: HttpContext) => new ApiGuard(ctx) } as any
}
