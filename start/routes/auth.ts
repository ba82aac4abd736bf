import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

const { api } = controllers

function signInRoutes() {
  router.post('register', [api.Auth, 'register'])
  router.post('login', [api.Auth, 'login'])
  router.post('refresh', [api.Auth, 'refresh'])
  router.post('mfa/verify', [api.Mfa, 'verify']).use(middleware.throttle({ by: 'mfa' }))
}

function passkeyLoginRoutes() {
  const isBounded = middleware.throttle({ by: 'passkey' })
  router.post('passkeys/login-options', [api.PasskeyLogins, 'options']).use(isBounded)
  router.post('passkeys/login', [api.PasskeyLogins, 'store']).use(isBounded)
}

function mailedTokenRoutes() {
  const isBounded = middleware.throttle({ by: 'redeem' })
  router.post('forgot-password', [api.Recovery, 'forgotPassword'])
  router.post('reset-password', [api.Recovery, 'resetPassword']).use(isBounded)
  router.post('verify-email', [api.Verification, 'verify']).use(isBounded)
  router
    .post('verify-email/resend', [api.Verification, 'resend'])
    .use(middleware.auth({ isOptional: true }))
}

/** The token of `resend` is optional. */
router
  .group(() => {
    signInRoutes()
    passkeyLoginRoutes()
    mailedTokenRoutes()
  })
  .prefix('/auth')
  .use(middleware.jsonBody())

/** The most frequent request, so it runs no middleware but the check of the token. */
router.get('auth/profile', [api.Profile, 'show']).use(middleware.auth())

function profileRoutes() {
  router.put('profile', [api.Profile, 'update'])
  router.get('export', [api.Profile, 'export'])
  router.post('export', [api.Profile, 'exportReauthenticated'])
  router.delete('account', [api.Profile, 'destroy'])
  router.post('change-password', [api.Credentials, 'changePassword'])
}

function sessionRoutes() {
  const isCompressed = middleware.compress({ answer: 'private' })
  router.post('revoke', [api.Credentials, 'revoke'])
  router.post('logout', [api.Sessions, 'logout'])
  router.post('logout-all', [api.Sessions, 'logoutAll'])
  router.get('sessions', [api.Sessions, 'index']).use(isCompressed)
  router.delete('sessions/:id', [api.Sessions, 'destroy'])
  router.get('devices', [api.Devices, 'index'])
  router.delete('devices/:id', [api.Devices, 'destroy'])
  router.get('activity', [api.Audit, 'activity']).use(isCompressed)
}

function mfaRoutes() {
  router.post('mfa/setup', [api.Mfa, 'setup'])
  router.post('mfa/enable', [api.Mfa, 'enable'])
  router.post('mfa/backup-codes', [api.Mfa, 'renewBackupCodes'])
  router.post('mfa/disable', [api.Mfa, 'disable'])
}

function passkeyRoutes() {
  router.post('passkeys/registration-options', [api.Passkeys, 'options'])
  router.post('passkeys', [api.Passkeys, 'store'])
  router.get('passkeys', [api.Passkeys, 'index'])
  router.patch('passkeys/:id', [api.Passkeys, 'update'])
  router.delete('passkeys/:id', [api.Passkeys, 'destroy'])
}

function apiKeyRoutes() {
  router.get('api-keys', [api.ApiKeys, 'index'])
  router.post('api-keys', [api.ApiKeys, 'store'])
  router.delete('api-keys/:id', [api.ApiKeys, 'destroy'])
}

router
  .group(() => {
    profileRoutes()
    sessionRoutes()
    mfaRoutes()
    passkeyRoutes()
    apiKeyRoutes()
  })
  .prefix('/auth')
  .use([middleware.auth(), middleware.jsonBody()])
