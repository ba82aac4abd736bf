import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import oidc from '#config/oidc'

/* The library answers its own paths before the router (`start/routes/oauth.ts`). */
const { pages } = controllers

/** Sign-in, choice of account and consent, which the library calls interactions. */
function interactionRoutes() {
  router.get('oauth/interaction/:uid', [pages.Interactions, 'show'])
  router.post('oauth/interaction/:uid', [pages.Interactions, 'store'])
  router.get('oauth/failure', [pages.OauthFailures, 'show'])
  router.get('oauth/answer', [pages.PostedAnswers, 'show'])
  router.get('oauth/logout', [pages.Logouts, 'show'])
  router.post('oauth/logout/confirm', [pages.Logouts, 'destroy'])
}

/** The throttle makes eight letters unguessable within the ten minutes of a code. */
function deviceRoutes() {
  router.get('oauth/device', [pages.DeviceCodes, 'create'])
  router
    .post('oauth/device', [pages.DeviceCodes, 'show'])
    .use([middleware.throttle({ by: 'redeem' }), middleware.restoreForm()])
  router
    .post('oauth/device/answer', [pages.DeviceCodes, 'store'])
    .use(middleware.throttle({ by: 'redeem' }))
}

/** A reload of an answer leads back to the page that waits. */
function addressRoutes(base: string) {
  const posted = [
    router.post(base, [pages.AddressCodes, 'store']).as(`${base}.code`),
    router.post(`${base}/resend`, [pages.AddressCodes, 'resend']).as(`${base}.resend`),
    router.post(`${base}/change`, [pages.AddressCodes, 'change']).as(`${base}.change`),
  ]
  router.get(base, [pages.AddressCodes, 'back']).as(`${base}.back`)
  router.get(`${base}/:step`, [pages.AddressCodes, 'back']).as(`${base}.step.back`)
  return posted
}

/** The forms of a device reveal whether a code waits, so each post counts as a guess. */
function confirmationRoutes() {
  addressRoutes('oauth/interaction/:uid/address')
  const ofDevice = addressRoutes('oauth/device/address')
  for (const route of ofDevice) route.use(middleware.throttle({ by: 'redeem' }))
}

/** Forms of other sites cannot have our CSRF token. */
function postedRoutes() {
  router.post('oauth/authorize', [pages.PostedRequests, 'store']).as('posted_authorizations.store')
  router.post('oauth/logout', [pages.PostedRequests, 'store']).as('posted_logouts.store')
}

if (oidc.isOn) {
  router.group(postedRoutes).use([middleware.language(), middleware.formBody()])

  router
    .group(() => {
      interactionRoutes()
      router.group(deviceRoutes).use(middleware.requireUser())
      router.group(confirmationRoutes).use(middleware.requireUser())
    })
    .use([
      middleware.session(),
      middleware.language(),
      middleware.formBody(),
      middleware.shield(),
      middleware.initializeAuth(),
    ])
}
