import type { HttpContext } from '@adonisjs/core/http'
import type { GuardConfigProvider } from '@adonisjs/auth/types'
import { JwtGuard } from './guard.ts'

/** The guard for `config/auth.ts`. */
export function jwtGuard(): GuardConfigProvider<(ctx: HttpContext) => JwtGuard> {
  return { type: 'provider', resolver: async () => (ctx: HttpContext) => new JwtGuard(ctx) } as any
}
