import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import {
  fixed,
  ofAdmin,
  ofBulk,
  ofDetails,
  ofNewService,
  ofNewUser,
  ofOwnKey,
  ofUser,
} from '#pages/reauthentication/purposes'
import { accountRoutes, pictureRoutes } from '#start/routes/account'
import { clientRoutes, logoRoutes } from '#start/routes/admin_clients'
import { groupRoutes } from '#start/routes/admin_groups'
import { serviceRoutes } from '#start/routes/admin_service'
import { brandLogoRoutes, settingRoutes } from '#start/routes/admin_settings'
import { webhookRoutes } from '#start/routes/admin_webhooks'
import { exempt, reauthenticated, revokes } from '#start/routes/reauthentication'

const { admin: pages } = controllers

router
  .get('/assets/:file', [controllers.pages.Assets, 'show'])
  .use(middleware.compress({ answer: 'public' }))

function setupRoutes() {
  router.get('setup', [pages.Setup, 'create']).use(middleware.throttle({ by: 'redeem' }))
  router
    .post('setup', [pages.Setup, 'store'])
    .use([middleware.throttle({ by: 'redeem' }), exempt('the setup link is the credential')])
}

function keyRoutes() {
  router.get('keys', [pages.Keys, 'index'])
  router.get('keys/rotate', [pages.Keys, 'askToRotate'])
  router.get('keys/rotate-now', [pages.Keys, 'askToRotateNow'])
  router
    .post('keys/rotate', [pages.Keys, 'rotate'])
    .use(reauthenticated(fixed('console.keys.purpose.rotate')))
  router
    .post('keys/rotate-now', [pages.Keys, 'rotateNow'])
    .use(reauthenticated(fixed('console.keys.purpose.rotate_now')))
  router
    .post('keys/:kid/revoke', [pages.Keys, 'revoke'])
    .use(reauthenticated(fixed('console.keys.purpose.revoke')))
  router.on('keys/:what').redirectToPath('/admin/keys').as('keys.back')
}

function userListRoutes() {
  router.get('users', [pages.Users, 'index'])
  router.post('users', [pages.Users, 'store']).use(reauthenticated(ofNewUser))
  router.get('users.csv', [pages.UserExport, 'show'])
  router.get('users/create', [pages.Users, 'create'])
  router.get('users/create-service', [pages.ServiceAccounts, 'create'])
  router
    .post('users/create-service', [pages.ServiceAccounts, 'store'])
    .use(reauthenticated(ofNewService))
  router.get('users/invite', [pages.Invitations, 'create'])
  router.post('users/invite', [pages.Invitations, 'store']).use(reauthenticated(ofNewUser))
  router.on('users/bulk').redirectToPath('/admin/users').as('users.bulk.back')
  router.post('users/bulk', [pages.Bulk, 'create']).use(exempt('it only asks'))
  router.post('users/bulk/apply', [pages.Bulk, 'store']).use(reauthenticated(ofBulk))
}

function userRoutes() {
  router.get('users/:id', [pages.User, 'show'])
  router.post('users/:id', [pages.User, 'update']).use(reauthenticated(ofDetails))
  router.get('users/:id/delete', [pages.User, 'delete'])
  router.post('users/:id/delete', [pages.User, 'destroy']).use(reauthenticated(ofUser('delete')))
  router
    .post('users/:id/identities/:provider/unlink', [pages.UserIdentities, 'destroy'])
    .use(reauthenticated(ofAdmin('unlink')))
  router
    .post('users/:id/passkeys/:passkeyId/remove', [pages.UserPasskeys, 'destroy'])
    .use(reauthenticated(ofAdmin('passkey')))
  router.post('users/:id/devices/:deviceId/withdraw', [pages.UserDevices, 'destroy']).use(revokes())
  router
    .post('users/:id/pending-email/withdraw', [pages.PendingEmails, 'destroy'])
    .use(reauthenticated(ofAdmin('withdraw')))
  router.post('users/:id/applications/withdraw', [pages.UserApplications, 'destroy']).use(revokes())
  router.post('users/:id/sessions/end', [pages.UserSessions, 'destroyAll']).use(revokes())
  router.post('users/:id/sessions/:sessionId/end', [pages.UserSessions, 'destroy']).use(revokes())
  router.get('users/:id/api-keys', [pages.ApiKeys, 'show'])
  router
    .post('users/:id/api-keys', [pages.ApiKeys, 'store'])
    .use(reauthenticated(ofUser('api_key')))
  router
    .post('users/:id/api-keys/:keyId/revoke', [pages.ApiKeys, 'destroy'])
    .use(reauthenticated(ofOwnKey))
  router
    .post('users/:id/invitation/resend', [pages.Invitations, 'resend'])
    .use(exempt('the mail goes to the invited address'))
  router
    .post('users/:id/invitation/revoke', [pages.Invitations, 'revoke'])
    .use(reauthenticated(ofUser('take_back')))
}

function userAccessRoutes() {
  router.post('users/:id/lock', [pages.UserLocks, 'store']).use(reauthenticated(ofAdmin('lock')))
  router
    .post('users/:id/verify', [pages.UserVerifications, 'store'])
    .use(reauthenticated(ofUser('verify')))
  router
    .post('users/:id/unlock', [pages.UserLocks, 'destroy'])
    .use(reauthenticated(ofAdmin('unlock')))
  router
    .post('users/:id/disable', [pages.UserDisablings, 'store'])
    .use(reauthenticated(ofAdmin('disable')))
  router
    .post('users/:id/enable', [pages.UserDisablings, 'destroy'])
    .use(reauthenticated(ofAdmin('enable')))
  router
    .post('users/:id/password-mail', [pages.UserPasswordResets, 'store'])
    .use(reauthenticated(ofAdmin('mail_reset')))
  router.get('users/:id/password', [pages.UserPasswords, 'show'])
  router
    .post('users/:id/password', [pages.UserPasswords, 'store'])
    .use(reauthenticated(ofUser('generate')))
  router
    .post('users/:id/mfa-reset', [pages.UserMfa, 'destroy'])
    .use(reauthenticated(ofUser('mfa_reset')))
}

function administratorRoutes() {
  serviceRoutes()
  settingRoutes()
  keyRoutes()
  clientRoutes()
  groupRoutes()
  webhookRoutes()
  userListRoutes()
  userRoutes()
  userAccessRoutes()
  router
    .group(() => accountRoutes('/admin/account'))
    .prefix('account')
    .as('account')
}

router
  .group(() => {
    setupRoutes()
    router.get('sign-in', [controllers.pages.SignIn, 'fromConsole'])
    router
      .group(administratorRoutes)
      .use([
        middleware.requireUser(),
        middleware.requireAdmin({ guard: 'web' }),
        middleware.requireMfa(),
        middleware.restoreForm(),
      ])
  })
  .prefix('/admin')
  .as('console')
  .use([
    middleware.session(),
    middleware.language(),
    middleware.formBody(),
    middleware.shield(),
    middleware.initializeAuth(),
  ])

/** The form contains a file, which its own middleware reads. */
const withPicture = (of: 'avatar' | 'logo' | 'brand') => [
  middleware.session(),
  middleware.language(),
  middleware.initializeAuth(),
  middleware.requireUser(),
  middleware.requireAdmin({ guard: 'web' }),
  middleware.requireMfa(),
  middleware.pictureBody({ of }),
  middleware.shield(),
]

router
  .group(pictureRoutes)
  .prefix('/admin/account')
  .as('console.picture')
  .use(withPicture('avatar'))

router.group(logoRoutes).prefix('/admin').as('console.logo').use(withPicture('logo'))

router.group(brandLogoRoutes).prefix('/admin').as('console.brand').use(withPicture('brand'))
