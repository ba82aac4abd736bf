import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { ofChangedWebhook, ofNewWebhook, ofWebhook } from '#pages/reauthentication/purposes'
import { exempt, reauthenticated } from '#start/routes/reauthentication'

const { admin: pages } = controllers

/** A new address learns of every user from then on. */
export function webhookRoutes() {
  router.get('webhooks', [pages.Webhooks, 'index'])
  router.post('webhooks', [pages.Webhooks, 'store']).use(reauthenticated(ofNewWebhook))
  router.get('webhooks/create', [pages.Webhooks, 'create'])
  router.get('webhooks/:id', [pages.Webhooks, 'show'])
  router.post('webhooks/:id', [pages.Webhooks, 'update']).use(reauthenticated(ofChangedWebhook))
  router.get('webhooks/:id/rotate-secret', [pages.Webhooks, 'rotate'])
  router
    .post('webhooks/:id/rotate-secret', [pages.Webhooks, 'rotateSecret'])
    .use(reauthenticated(ofWebhook('rotate')))
  router.get('webhooks/:id/delete', [pages.Webhooks, 'delete'])
  router
    .post('webhooks/:id/delete', [pages.Webhooks, 'destroy'])
    .use(exempt('nothing is sent there any more'))
  deliveryRoutes()
}

function deliveryRoutes() {
  const known = exempt('the address was proved when it was set')
  router.post('webhooks/:id/test', [pages.WebhookDeliveries, 'test']).use(known)
  router.post('webhooks/:id/replay', [pages.WebhookDeliveries, 'replay']).use(known)
  router
    .post('webhooks/:id/deliveries/:deliveryId/retry', [pages.WebhookDeliveries, 'retry'])
    .use(known)
  for (const form of ['test', 'replay', 'deliveries/:deliveryId/retry']) {
    const name = `webhooks.${form.split('/').at(-1)}.back`
    router.get(`webhooks/:id/${form}`, [pages.WebhookDeliveries, 'back']).as(name)
  }
}
