import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

router.get('auth/identities', [controllers.api.External, 'identities']).use(middleware.auth())

const bounded = () => middleware.throttle({ by: 'external' })

function loginRoutes() {
  router.get('/', [controllers.api.External, 'index'])
  router
    .post('exchange', [controllers.api.External, 'exchange'])
    .use([middleware.jsonBody(), bounded()])
  router.get(':provider', [controllers.api.External, 'start']).use(bounded())
  router.get(':provider/callback', [controllers.api.External, 'callback']).use(bounded())
}

function linkRoutes() {
  router
    .post(':provider/link', [controllers.api.External, 'link'])
    .use([middleware.auth(), middleware.jsonBody(), bounded()])
  router
    .delete(':provider/link', [controllers.api.External, 'unlink'])
    .use([middleware.auth(), middleware.jsonBody()])
}

router
  .group(() => {
    loginRoutes()
    linkRoutes()
  })
  .prefix('/auth/external')
