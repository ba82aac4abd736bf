import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** The documentation of the API, to read and for programs. */
router
  .group(() => {
    router.get('/api-docs', [controllers.Docs, 'show'])
    router.get('/api-docs-json', [controllers.Docs, 'json'])
    router.get('/api-docs/:file', [controllers.Docs, 'file'])
  })
  .use(middleware.documentation())
