import router from '@adonisjs/core/services/router'
import oidc from '#config/oidc'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import { accountRoutes, pictureRoutes } from '#start/routes/account'

/** Pages of the console. */
const { admin: pages } = controllers

router
  .get('/assets/:file', [controllers.pages.Assets, 'show'])
  .use(middleware.compress({ answer: 'public' }))

function setupRoutes() {
  router.get('setup', [pages.Setup, 'create']).use(middleware.throttle({ by: 'redeem' }))
  router.post('setup', [pages.Setup, 'store']).use(middleware.throttle({ by: 'redeem' }))
}

function serviceRoutes() {
  router.get('/', [pages.Dashboard, 'show'])
  router.get('plots/:name', [pages.Plots, 'show'])
  router.post('checklist/docs', [pages.Checklist, 'docs'])
  router.post('checklist/dismiss', [pages.Checklist, 'dismiss'])
}

/** The answer to a form has no page of its own: a reload leads back to the form. */
function recordRoutes() {
  router.get('sessions', [pages.Sessions, 'index'])
  router.post('sessions/:userId/:sessionId/end', [pages.Sessions, 'destroy'])
  router.get('audit', [pages.Audit, 'index'])
  router.post('audit/verify', [pages.Audit, 'verify'])
  router.on('audit/verify').redirectToPath('/admin/audit').as('audit.verify.back')
}

function mailRoutes() {
  router.get('mails', [pages.Mails, 'index'])
  router.post('mails/test', [pages.Checklist, 'mail'])
  router.on('mails/test').redirectToPath('/admin/mails').as('mails.test.back')
  router.post('mails/:id/read', [pages.Mails, 'show'])
  router.on('mails/:id/read').redirectToPath('/admin/mails').as('mails.read.back')
  router.post('mails/:id/retry', [pages.Mails, 'retry'])
}

function keyRoutes() {
  router.get('keys', [pages.Keys, 'index'])
  router.get('keys/rotate', [pages.Keys, 'askToRotate'])
  router.get('keys/rotate-now', [pages.Keys, 'askToRotateNow'])
  router.post('keys/rotate', [pages.Keys, 'rotate'])
  router.post('keys/rotate-now', [pages.Keys, 'rotateNow'])
  router.post('keys/:kid/revoke', [pages.Keys, 'revoke'])
  router.on('keys/:what').redirectToPath('/admin/keys').as('keys.back')
}

/** Without the provider one page says so. */
function clientRoutes() {
  router.get('clients', [pages.Clients, 'index'])
  if (!oidc.isOn) return
  router.post('clients', [pages.Clients, 'store'])
  router.get('clients/create', [pages.Clients, 'create'])
  router.get('clients/:id', [pages.Clients, 'show'])
  router.post('clients/:id', [pages.Clients, 'update'])
  router.get('clients/:id/rotate-secret', [pages.Clients, 'rotate'])
  router.post('clients/:id/rotate-secret', [pages.Clients, 'rotateSecret'])
  router.get('clients/:id/delete', [pages.Clients, 'delete'])
  router.post('clients/:id/delete', [pages.Clients, 'destroy'])
  router.post('client-documents/delete', [pages.ClientDocuments, 'destroy'])
  router
    .on('client-documents/delete')
    .redirectToPath('/admin/clients')
    .as('client_documents.delete.back')
}

function userListRoutes() {
  router.get('users', [pages.Users, 'index'])
  router.post('users', [pages.Users, 'store'])
  router.get('users.csv', [pages.UserExport, 'show'])
  router.get('users/create', [pages.Users, 'create'])
  router.get('users/create-service', [pages.ServiceAccounts, 'create'])
  router.post('users/create-service', [pages.ServiceAccounts, 'store'])
  router.get('users/invite', [pages.Invitations, 'create'])
  router.post('users/invite', [pages.Invitations, 'store'])
  router.on('users/bulk').redirectToPath('/admin/users').as('users.bulk.back')
  router.post('users/bulk', [pages.Bulk, 'create'])
  router.post('users/bulk/apply', [pages.Bulk, 'store'])
}

function userRoutes() {
  router.get('users/:id', [pages.User, 'show'])
  router.post('users/:id', [pages.User, 'update'])
  router.get('users/:id/delete', [pages.User, 'delete'])
  router.post('users/:id/delete', [pages.User, 'destroy'])
  router.post('users/:id/identities/:provider/unlink', [pages.UserSecurity, 'unlink'])
  router.post('users/:id/passkeys/:passkeyId/remove', [pages.UserSecurity, 'removePasskey'])
  router.post('users/:id/devices/:deviceId/withdraw', [pages.UserSecurity, 'withdrawDevice'])
  router.post('users/:id/pending-email/withdraw', [pages.PendingEmails, 'destroy'])
  router.post('users/:id/applications/withdraw', [pages.UserSecurity, 'withdrawApplication'])
  router.post('users/:id/sessions/end', [pages.UserSecurity, 'endSessions'])
  router.post('users/:id/sessions/:sessionId/end', [pages.UserSecurity, 'endSession'])
  router.get('users/:id/api-keys', [pages.ApiKeys, 'show'])
  router.post('users/:id/api-keys', [pages.ApiKeys, 'store'])
  router.post('users/:id/api-keys/:keyId/revoke', [pages.ApiKeys, 'destroy'])
  router.post('users/:id/invitation/resend', [pages.Invitations, 'resend'])
  router.post('users/:id/invitation/revoke', [pages.Invitations, 'revoke'])
}

function userAccessRoutes() {
  router.post('users/:id/lock', [pages.UserSecurity, 'lock'])
  router.post('users/:id/unlock', [pages.UserSecurity, 'unlock'])
  router.post('users/:id/disable', [pages.UserSecurity, 'disable'])
  router.post('users/:id/enable', [pages.UserSecurity, 'enable'])
  router.post('users/:id/password-mail', [pages.UserSecurity, 'mailReset'])
  router.get('users/:id/password', [pages.UserSecurity, 'showGenerated'])
  router.post('users/:id/password', [pages.UserSecurity, 'generate'])
  router.post('users/:id/mfa-reset', [pages.UserSecurity, 'resetMfa'])
}

function administratorRoutes() {
  serviceRoutes()
  recordRoutes()
  mailRoutes()
  keyRoutes()
  clientRoutes()
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

router
  .group(pictureRoutes)
  .prefix('/admin/account')
  .as('console.picture')
  .use([
    middleware.session(),
    middleware.language(),
    middleware.initializeAuth(),
    middleware.requireUser(),
    middleware.requireAdmin({ guard: 'web' }),
    middleware.requireMfa(),
    middleware.pictureBody(),
    middleware.shield(),
  ])
