import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { canonicalId } from '#database/canonical_id'

// Routes of OpenID are in `start/routes/oauth.ts`, and answered before the router.
// `app/http/server.ts` maps `/api/…`, `/api/v1/…` and the version header onto these paths.
for (const name of ['id', 'userId', 'sessionId', 'deviceId', 'passkeyId', 'deliveryId']) {
  router.where(name, { cast: canonicalId })
}

await import('#start/routes/auth')
await import('#start/routes/external')
await import('#start/routes/users')
await import('#start/routes/groups')
await import('#start/routes/clients')
await import('#start/routes/webhooks')
await import('#start/routes/settings')
await import('#start/routes/health')
await import('#start/routes/keys')

/** `app/http/server.ts` rewrites every path under `/api` except the paths of another version. */
router.any('api/*', [controllers.api.Versions, 'refuse'])

await import('#start/routes/admin')
await import('#start/routes/sign_in')
await import('#start/routes/account')
await import('#start/routes/pages')
await import('#start/routes/oauth_pages')
await import('#start/routes/docs')
