import type { HttpContext } from '@adonisjs/core/http'
import type { GuardConfigProvider, GuardFactory } from '@adonisjs/auth/types'
import type { ApiGuard } from './api/api_guard.ts'
import type { WebGuard } from './web/web_guard.ts'

// Commands also read the configuration but serve no requests: the first request loads the guards.
// The framework recognizes a provider by its `type`, which its own type leaves out.
type Provider<Factory extends GuardFactory> = GuardConfigProvider<Factory> & { type: 'provider' }

export function apiGuard(): Provider<(ctx: HttpContext) => ApiGuard> {
  const resolver = async () => {
    const { ApiGuard } = await import('./api/api_guard.ts')
    return (ctx: HttpContext) => new ApiGuard(ctx)
  }
  return { type: 'provider', resolver }
}

export function webGuard(): Provider<(ctx: HttpContext) => WebGuard> {
  const resolver = async () => {
    const { WebGuard } = await import('./web/web_guard.ts')
    return (ctx: HttpContext) => new WebGuard(ctx)
  }
  return { type: 'provider', resolver }
}
