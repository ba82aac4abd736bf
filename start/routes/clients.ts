import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import oidc from '#config/oidc'

/** Services authenticate by an API key or as a client, and send forms (RFC 7662). */
router
  .post('oauth/introspect', [controllers.api.Introspection, 'store'])
  .use([middleware.auth({ isKeyOnly: true }), middleware.requireEnrolment()])

function clientRoutes() {
  router.get('oauth-clients', [controllers.api.OauthClients, 'index'])
  router.post('oauth-clients', [controllers.api.OauthClients, 'store'])
  router.get('oauth-clients/:id', [controllers.api.OauthClients, 'show'])
  router.put('oauth-clients/:id', [controllers.api.OauthClients, 'update'])
  router.delete('oauth-clients/:id', [controllers.api.OauthClients, 'destroy'])
  router.get('oauth-clients/:id/refusals', [controllers.api.OauthClients, 'refusals'])
  router.get('oauth-clients/:id/preview', [controllers.api.OauthClients, 'preview'])
  router.post('oauth-clients/:id/rotate-secret', [controllers.api.OauthClients, 'rotateSecret'])
  router.delete('oauth-clients/:id/logo', [controllers.api.ClientLogos, 'destroy'])
}

if (oidc.isOn) {
  router.get('client-logos/:name', [controllers.api.ClientLogos, 'show'])
  router
    .put('oauth-clients/:id/logo', [controllers.api.ClientLogos, 'update'])
    .use([middleware.auth(), middleware.requireAdmin({ guard: 'api' })])
  router
    .group(clientRoutes)
    .use([middleware.auth(), middleware.requireAdmin({ guard: 'api' }), middleware.jsonBody()])
}
