import type { HttpContext } from '@adonisjs/core/http'
import type { GuardConfigProvider, GuardFactory } from '@adonisjs/auth/types'
import { ApiGuard } from './api/api_guard.ts'
import { WebGuard } from './web/web_guard.ts'

// The framework tells a provider by its `type`, which its own type leaves out.
type Provider<Factory extends GuardFactory> = GuardConfigProvider<Factory> & { type: 'provider' }

export function apiGuard(): Provider<(ctx: HttpContext) => ApiGuard> {
  return { type: 'provider', resolver: async () => (ctx) => new ApiGuard(ctx) }
}

export function webGuard(): Provider<(ctx: HttpContext) => WebGuard> {
  return { type: 'provider', resolver: async () => (ctx) => new WebGuard(ctx) }
}
