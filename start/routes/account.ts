import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import oidc from '#config/oidc'
import { fixed } from '#pages/reauthentication/purposes'
import { exempt, reauthenticated, revokes } from '#start/routes/reauthentication'

/* A change of sign-in methods or an export names its purpose for the reauthentication page. */
const { account } = controllers

const confirmed = (purpose: string) => reauthenticated(fixed(`account.purposes.${purpose}`))

function profileRoutes() {
  router.get('/', [account.Profile, 'show'])
  router.post('/', [account.Profile, 'update']).use(exempt('a name is no access'))
  router.post('picture/remove', [account.Pictures, 'destroy']).use(exempt('a picture is no access'))
  router.post('handle', [account.Handles, 'update']).use(confirmed('handle'))
  router.post('address', [account.Addresses, 'update']).use(confirmed('address'))
  router
    .post('address/resend', [account.Addresses, 'resend'])
    .use(exempt('the mail goes to the address that is pending'))
  router
    .post('address/withdraw', [account.Addresses, 'withdraw'])
    .use(exempt('the current address stays'))
}

/** The CSRF token is a part of the form, so the file is read first. */
export function pictureRoutes() {
  router.post('picture', [account.Pictures, 'store']).use(exempt('a picture is no access'))
}

function securityRoutes() {
  router.get('security', [account.Security, 'show'])
  router
    .post('security/password', [account.Passwords, 'update'])
    .use(exempt('the form has the current password'))
  router.post('security/password/begin', [account.Passwords, 'begin']).use(confirmed('password'))
  router.post('security/mfa/setup', [account.Mfa, 'setup']).use(confirmed('mfa_setup'))
  router.post('security/mfa/enable', [account.Mfa, 'enable']).use(exempt('its set-up asked'))
  router.get('security/mfa/codes', [account.Mfa, 'showCodes'])
  router.post('security/mfa/codes', [account.Mfa, 'renewCodes']).use(confirmed('mfa_codes'))
  router.post('security/mfa/disable', [account.Mfa, 'disable']).use(confirmed('mfa_disable'))
  router.post('security/devices/:id/withdraw', [account.Devices, 'destroy']).use(revokes())
}

function passkeyRoutes() {
  router.post('security/passkeys/new', [account.Passkeys, 'create']).use(confirmed('passkey_add'))
  router.post('security/passkeys', [account.Passkeys, 'store']).use(exempt('its options asked'))
  router
    .post('security/passkeys/:id', [account.Passkeys, 'update'])
    .use(exempt('a name is no access'))
  router
    .post('security/passkeys/:id/remove', [account.Passkeys, 'destroy'])
    .use(confirmed('passkey_remove'))
}

function providerRoutes() {
  router
    .post('security/providers/:provider/link', [account.Providers, 'link'])
    .use([middleware.throttle({ by: 'external' }), confirmed('provider_link')])
  router.get('security/providers/:provider/linked', [account.Providers, 'linked'])
  router
    .post('security/providers/:provider/unlink', [account.Providers, 'unlink'])
    .use(confirmed('provider_unlink'))
}

function keyRoutes() {
  router.get('security/api-keys', [account.ApiKeys, 'show'])
  router.post('security/api-keys', [account.ApiKeys, 'store']).use(confirmed('key_make'))
  router
    .post('security/api-keys/:id/revoke', [account.ApiKeys, 'destroy'])
    .use(confirmed('key_revoke'))
}

function sessionRoutes() {
  router.get('sessions', [account.Sessions, 'index'])
  router.post('sessions/end-others', [account.Sessions, 'destroyOthers']).use(revokes())
  router.post('sessions/end', [account.Sessions, 'destroyAll']).use(revokes())
  router.post('sessions/:id/end', [account.Sessions, 'destroy']).use(revokes())
  router.get('activity', [account.Activity, 'index'])
}

function applicationRoutes() {
  router.get('applications', [account.Applications, 'index'])
  router.post('applications/withdraw', [account.Applications, 'destroy']).use(revokes())
}

function dataRoutes() {
  router.get('data', [account.Data, 'show'])
  router.post('data/begin', [account.Data, 'begin']).use(confirmed('export'))
  router.post('data/export', [account.Data, 'export']).use(confirmed('export'))
  router.get('data/delete', [account.Deletions, 'create'])
  router.post('data/delete', [account.Deletions, 'store']).use(confirmed('deletion'))
}

/** The answer to a form has no separate page: a reload leads back to the form. */
function returnRoutes(base: string) {
  for (const path of ['picture', 'handle', 'address', 'address/:step']) {
    router.on(path).redirectToPath(base).as(`back.${path}`)
  }
  router.on('security/*').redirectToPath(`${base}/security`).as('back.security')
  router.on('data/*').redirectToPath(`${base}/data`).as('back.data')
}

/** @param base `/account`, or its path within the console */
export function accountRoutes(base: string) {
  profileRoutes()
  securityRoutes()
  passkeyRoutes()
  providerRoutes()
  keyRoutes()
  sessionRoutes()
  if (oidc.isOn) applicationRoutes()
  dataRoutes()
  returnRoutes(base)
}

router
  .group(() => accountRoutes('/account'))
  .prefix('/account')
  .as('account')
  .use([
    middleware.hostedPages(),
    middleware.session(),
    middleware.language(),
    middleware.formBody(),
    middleware.shield(),
    middleware.initializeAuth(),
    middleware.requireUser(),
    middleware.restoreForm(),
  ])

router
  .group(pictureRoutes)
  .prefix('/account')
  .as('account.picture')
  .use([
    middleware.hostedPages(),
    middleware.session(),
    middleware.language(),
    middleware.initializeAuth(),
    middleware.requireUser(),
    middleware.pictureBody({ of: 'avatar' }),
    middleware.shield(),
  ])
