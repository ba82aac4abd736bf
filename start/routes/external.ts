import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** The caller's own identities at providers. */
router.get('auth/identities', [controllers.api.External, 'identities']).use(middleware.auth())

/** Login through an external provider. */
router
  .group(() => {
    router.get('/', [controllers.api.External, 'index'])
    router
      .post('exchange', [controllers.api.External, 'exchange'])
      .use([middleware.jsonBody(), middleware.throttle({ by: 'external' })])
    router
      .get(':provider', [controllers.api.External, 'start'])
      .use(middleware.throttle({ by: 'external' }))
    router
      .get(':provider/callback', [controllers.api.External, 'callback'])
      .use(middleware.throttle({ by: 'external' }))
    router
      .post(':provider/link', [controllers.api.External, 'link'])
      .use([middleware.auth(), middleware.jsonBody(), middleware.throttle({ by: 'external' })])
    router.delete(':provider/link', [controllers.api.External, 'unlink']).use(middleware.auth())
  })
  .prefix('/auth/external')
