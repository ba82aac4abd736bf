import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/*
 | Each route once, under the path of the specification. `start/http_server.ts` maps
 | `/api/…`, `/api/v1/…` and the version header onto these.
 */

router
  .group(() => {
    router.post('register', [controllers.api.Auth, 'register'])
    router.post('login', [controllers.api.Auth, 'login'])
    router.post('refresh', [controllers.api.Auth, 'refresh'])
    router.post('forgot-password', [controllers.api.Recovery, 'forgotPassword'])
    router.post('reset-password', [controllers.api.Recovery, 'resetPassword'])
    router.post('verify-email', [controllers.api.Verification, 'verify'])
    router
      .post('verify-email/resend', [controllers.api.Verification, 'resend'])
      .use(middleware.auth({ isOptional: true }))
  })
  .prefix('/auth')
  .use(middleware.jsonBody())

router
  .group(() => {
    router.get('/', [controllers.api.Health, 'show'])
    router.get('database', [controllers.api.Health, 'database'])
    router.get('redis', [controllers.api.Health, 'store'])
    router.get('live', [controllers.api.Health, 'live'])
    router.get('ready', [controllers.api.Health, 'ready'])
  })
  .prefix('/health')

router.get('metrics', [controllers.api.Metrics, 'show'])

router
  .group(() => {
    router.get('profile', [controllers.api.Profile, 'show'])
    router.put('profile', [controllers.api.Profile, 'update'])
    router.get('export', [controllers.api.Profile, 'export'])
    router.delete('account', [controllers.api.Profile, 'destroy'])
    router.post('change-password', [controllers.api.Credentials, 'changePassword'])
    router.post('revoke', [controllers.api.Credentials, 'revoke'])
    router.post('logout', [controllers.api.Sessions, 'logout'])
    router.post('logout-all', [controllers.api.Sessions, 'logoutAll'])
    router.get('sessions', [controllers.api.Sessions, 'index'])
    router.delete('sessions/:id', [controllers.api.Sessions, 'destroy'])
  })
  .prefix('/auth')
  .use([middleware.auth(), middleware.jsonBody()])

await import('#start/routes/console')
await import('#start/routes/pages')
await import('#start/routes/docs')
