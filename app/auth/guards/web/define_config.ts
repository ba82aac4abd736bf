import type { HttpContext } from '@adonisjs/core/http'
import type { GuardConfigProvider } from '@adonisjs/auth/types'
import { WebGuard } from './web_guard.ts'

/** The guard of pages, for `config/auth.ts`. */
export function webGuard(): GuardConfigProvider<(ctx: HttpContext) => WebGuard> {
  return { type: 'provider', resolver: async () => (ctx: HttpContext) => new WebGuard(ctx) } as any
}
