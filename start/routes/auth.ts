import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** Routes without an access token; the token of `resend` is optional. */
router
  .group(() => {
    router.post('register', [controllers.api.Auth, 'register'])
    router.post('login', [controllers.api.Auth, 'login'])
    router.post('refresh', [controllers.api.Auth, 'refresh'])
    router
      .post('mfa/verify', [controllers.api.Mfa, 'verify'])
      .use(middleware.throttle({ by: 'mfa' }))
    router.post('forgot-password', [controllers.api.Recovery, 'forgotPassword'])
    router
      .post('reset-password', [controllers.api.Recovery, 'resetPassword'])
      .use(middleware.throttle({ by: 'redeem' }))
    router
      .post('verify-email', [controllers.api.Verification, 'verify'])
      .use(middleware.throttle({ by: 'redeem' }))
    router
      .post('verify-email/resend', [controllers.api.Verification, 'resend'])
      .use(middleware.auth({ isOptional: true }))
  })
  .prefix('/auth')
  .use(middleware.jsonBody())

/** The most frequent request of all, so it runs no middleware but the check of the token. */
router.get('auth/profile', [controllers.api.Profile, 'show']).use(middleware.auth())

/** The caller's own account. */
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
