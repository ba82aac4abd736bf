import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

const isCompressed = middleware.compress({ answer: 'public' })

router
  .group(() => {
    router.get('/api-docs', [controllers.pages.Docs, 'show'])
    router.get('/api-docs-json', [controllers.pages.Docs, 'json']).use(isCompressed)
    router.get('/api-docs/:file', [controllers.pages.Docs, 'file']).use(isCompressed)
  })
  .use(middleware.documentation())
