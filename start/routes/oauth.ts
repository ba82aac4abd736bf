import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** For services, which authenticate by an API key and send forms as RFC 7662 asks. */
router
  .post('oauth/introspect', [controllers.api.Introspection, 'store'])
  .use([middleware.auth({ isKeyOnly: true }), middleware.requireEnrolment(), middleware.formBody()])
