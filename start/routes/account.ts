import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** Pages of a user about themselves. */
const { pages } = controllers

function accountRoutes() {
  router.get('/', [pages.Account, 'show'])
}

router
  .group(accountRoutes)
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
