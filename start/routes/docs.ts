import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

/** The documentation of the API: a page for people and the OpenAPI document for programs. */
router
  .group(() => {
    router.get('/api-docs', [controllers.pages.Docs, 'show'])
    router.get('/api-docs-json', [controllers.pages.Docs, 'json'])
    router.get('/api-docs/:file', [controllers.pages.Docs, 'file'])
  })
  .use(middleware.documentation())
