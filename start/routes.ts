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
    router.post('mfa/verify', [controllers.api.Mfa, 'verify'])
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

/** Asked more often than all others together: nothing on its way but the token. */
router.get('auth/profile', [controllers.api.Profile, 'show']).use(middleware.auth())

router
  .group(() => {
    router.get('/', [controllers.api.External, 'index'])
    router.post('exchange', [controllers.api.External, 'exchange']).use(middleware.jsonBody())
    router.get(':provider', [controllers.api.External, 'start'])
    router.get(':provider/callback', [controllers.api.External, 'callback'])
    router
      .post(':provider/link', [controllers.api.External, 'link'])
      .use([middleware.auth(), middleware.jsonBody()])
    router.delete(':provider/link', [controllers.api.External, 'unlink']).use(middleware.auth())
  })
  .prefix('/auth/external')

router
  .group(() => {
    router.put('profile', [controllers.api.Profile, 'update'])
    router.get('export', [controllers.api.Profile, 'export'])
    router.delete('account', [controllers.api.Profile, 'destroy'])
    router.post('change-password', [controllers.api.Credentials, 'changePassword'])
    router.post('revoke', [controllers.api.Credentials, 'revoke'])
    router.post('logout', [controllers.api.Sessions, 'logout'])
    router.post('logout-all', [controllers.api.Sessions, 'logoutAll'])
    router.get('sessions', [controllers.api.Sessions, 'index'])
    router.delete('sessions/:id', [controllers.api.Sessions, 'destroy'])
    router.get('activity', [controllers.api.Audit, 'activity'])
    router.post('mfa/setup', [controllers.api.Mfa, 'setup'])
    router.post('mfa/enable', [controllers.api.Mfa, 'enable'])
    router.post('mfa/backup-codes', [controllers.api.Mfa, 'renewBackupCodes'])
    router.post('mfa/disable', [controllers.api.Mfa, 'disable'])
  })
  .prefix('/auth')
  .use([middleware.auth(), middleware.jsonBody()])

router
  .group(() => {
    router.post('avatar', [controllers.api.Avatars, 'store'])
    router.delete('avatar', [controllers.api.Avatars, 'destroy'])
  })
  .prefix('/users')
  .use(middleware.auth())

router.get('avatars/:name', [controllers.api.Avatars, 'show'])

router
  .group(() => {
    router.get(':id', [controllers.api.Users, 'show'])
    router.put(':id', [controllers.api.Users, 'update'])
    router.patch(':id/password', [controllers.api.Users, 'changePassword'])
  })
  .prefix('/users')
  .use([middleware.auth(), middleware.jsonBody()])

router
  .group(() => {
    router.get('users', [controllers.api.Users, 'index'])
    router.get('api/v2/users', [controllers.api.Users, 'indexAfter'])
    router.post('users', [controllers.api.Users, 'store'])
    router.delete('users/:id', [controllers.api.Users, 'destroy'])
    router.post('users/:id/unlock', [controllers.api.UserActions, 'unlock'])
    router.post('users/:id/lock', [controllers.api.UserActions, 'lock'])
    router.post('users/:id/reset-mfa', [controllers.api.UserActions, 'resetMfa'])
    router.post('users/:id/send-password-reset', [controllers.api.UserActions, 'sendPasswordReset'])
    router.get('users/:id/sessions', [controllers.api.UserActions, 'sessions'])
    router.delete('users/:id/sessions', [controllers.api.UserActions, 'endSessions'])
    router.delete('users/:id/sessions/:sessionId', [controllers.api.UserActions, 'endSession'])
    router.get('audit-events', [controllers.api.Audit, 'index'])
  })
  .use([middleware.auth(), middleware.admin(), middleware.jsonBody()])

/** `start/http_server.ts` leaves no path under `/api` but those of another version. */
router.any('api/*', [controllers.api.Versions, 'refuse'])

await import('#start/routes/admin')
await import('#start/routes/pages')
await import('#start/routes/docs')
