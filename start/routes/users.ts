import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

router
  .group(() => {
    router.post('avatar', [controllers.api.Avatars, 'store'])
    router.delete('avatar', [controllers.api.Avatars, 'destroy'])
  })
  .prefix('/users')
  .use(middleware.auth())

router.get('avatars/:name', [controllers.api.Avatars, 'show'])

/** The policy in the controller admits administrators, and users to their own record. */
router
  .group(() => {
    router.get(':id', [controllers.api.Users, 'show'])
    router.put(':id', [controllers.api.Users, 'update'])
    router.patch(':id/password', [controllers.api.Users, 'changePassword'])
  })
  .prefix('/users')
  .use([middleware.auth(), middleware.jsonBody()])

function userRoutes() {
  const isCompressed = middleware.compress({ answer: 'private' })
  router.get('users', [controllers.api.Users, 'index']).use(isCompressed)
  router.get('api/v2/users', [controllers.api.Users, 'indexAfter']).use(isCompressed)
  router.post('users', [controllers.api.Users, 'store'])
  router.delete('users/:id', [controllers.api.Users, 'destroy'])
  router.get('audit-events', [controllers.api.Audit, 'index']).use(isCompressed)
}

function userActionRoutes() {
  router.post('users/:id/unlock', [controllers.api.UserActions, 'unlock'])
  router.post('users/:id/lock', [controllers.api.UserActions, 'lock'])
  router.post('users/:id/reset-mfa', [controllers.api.UserActions, 'resetMfa'])
  router.post('users/:id/send-password-reset', [controllers.api.UserActions, 'sendPasswordReset'])
  router.get('users/:id/sessions', [controllers.api.UserActions, 'sessions'])
  router.delete('users/:id/sessions', [controllers.api.UserActions, 'endSessions'])
  router.delete('users/:id/sessions/:sessionId', [controllers.api.UserActions, 'endSession'])
}

function userPasskeyRoutes() {
  router.get('users/:id/passkeys', [controllers.api.UserPasskeys, 'index'])
  router.delete('users/:id/passkeys/:passkeyId', [controllers.api.UserPasskeys, 'destroy'])
}

function userKeyRoutes() {
  router.get('users/:id/api-keys', [controllers.api.UserKeys, 'index'])
  router.post('users/:id/api-keys', [controllers.api.UserKeys, 'store'])
  router.delete('users/:id/api-keys/:keyId', [controllers.api.UserKeys, 'destroy'])
}

router
  .group(() => {
    userRoutes()
    userActionRoutes()
    userPasskeyRoutes()
    userKeyRoutes()
  })
  .use([middleware.auth(), middleware.requireAdmin({ guard: 'api' }), middleware.jsonBody()])
