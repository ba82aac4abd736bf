import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'

router
  .group(() => {
    router.get('/', [controllers.api.Health, 'show'])
    router.get('database', [controllers.api.Health, 'database'])
    router.get('redis', [controllers.api.Health, 'store'])
    router.get('live', [controllers.api.Health, 'live'])
    router.get('ready', [controllers.api.Health, 'ready'])
  })
  .prefix('/health')

router.get('metrics', [controllers.api.Metrics, 'show'])
