import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** Pages of the console; session and CSRF protection belong to them and to no route of the API. */
const { console: pages } = controllers

router.get('/assets/:file', [controllers.Assets, 'show'])

router
  .group(() => {
    router.get('setup', [pages.Setup, 'create'])
    router.post('setup', [pages.Setup, 'store'])
    router.get('sign-in', [pages.SignIn, 'create'])
    router.post('sign-in', [pages.SignIn, 'store'])

    router
      .group(() => {
        router.get('/', [pages.Dashboard, 'show'])
        router.post('sign-out', [pages.SignIn, 'destroy'])
      })
      .use(middleware.administrator())
  })
  .prefix('/admin')
  .use([middleware.session(), middleware.formBody(), middleware.shield()])
