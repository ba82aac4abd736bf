import router from '@adonisjs/core/services/router'
import oidc from '#config/oidc'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'
import {
  ofAllowedSetting,
  ofClient,
  ofMetadataClient,
  ofNewClient,
  type Purpose,
} from '#pages/reauthentication/purposes'

const { admin: pages } = controllers

const proven = (purpose: Purpose) => middleware.reauthentication({ purpose })

/** Without the provider one page says so. */
export function clientRoutes() {
  router.get('clients', [pages.Clients, 'index'])
  if (!oidc.isOn) return
  router.post('clients', [pages.Clients, 'store']).use(proven(ofNewClient))
  router.get('clients/create', [pages.Clients, 'create'])
  router.get('clients/:id', [pages.Clients, 'show'])
  router.post('clients/:id', [pages.Clients, 'update']).use(proven(ofClient('update')))
  router.get('clients/:id/rotate-secret', [pages.Clients, 'rotate'])
  router
    .post('clients/:id/rotate-secret', [pages.Clients, 'rotateSecret'])
    .use(proven(ofClient('rotate')))
  router
    .post('clients/:id/logo/remove', [pages.ClientLogos, 'destroy'])
    .use(proven(ofClient('logo')))
  router.on('clients/:id/logo').redirectToPath('/admin/clients').as('clients.logo.back')
  router.get('clients/:id/allow/:setting', [pages.ClientRefusals, 'back'])
  router
    .post('clients/:id/allow/:setting', [pages.ClientRefusals, 'store'])
    .use(proven(ofAllowedSetting))
  router.get('clients/:id/delete', [pages.Clients, 'delete'])
  router.post('clients/:id/delete', [pages.Clients, 'destroy']).use(proven(ofClient('delete')))
  router
    .post('client-documents/delete', [pages.ClientDocuments, 'destroy'])
    .use(proven(ofMetadataClient))
  router
    .on('client-documents/delete')
    .redirectToPath('/admin/clients')
    .as('client_documents.delete.back')
}

export function logoRoutes() {
  if (!oidc.isOn) return
  router.post('clients/:id/logo', [pages.ClientLogos, 'store']).use(proven(ofClient('logo')))
}
