import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

const { api } = controllers

const isCompressed = middleware.compress({ answer: 'private' })

function webhookRoutes() {
  router.get('webhooks', [api.Webhooks, 'index'])
  router.post('webhooks', [api.Webhooks, 'store'])
  router.get('webhooks/:id', [api.Webhooks, 'show'])
  router.put('webhooks/:id', [api.Webhooks, 'update'])
  router.delete('webhooks/:id', [api.Webhooks, 'destroy'])
  router.post('webhooks/:id/rotate-secret', [api.Webhooks, 'rotateSecret'])
  router.post('webhooks/:id/test', [api.Webhooks, 'test'])
  router.post('webhooks/:id/replay', [api.Webhooks, 'replay'])
  router.get('webhooks/:id/deliveries', [api.WebhookDeliveries, 'index']).use(isCompressed)
  router.post('webhooks/:id/deliveries/:deliveryId/retry', [api.WebhookDeliveries, 'retry'])
}

router
  .group(webhookRoutes)
  .use([middleware.auth(), middleware.requireAdmin({ guard: 'api' }), middleware.jsonBody()])
