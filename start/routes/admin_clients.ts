import router from '@adonisjs/core/services/router'
import oidc from '#config/oidc'
import { controllers } from '#generated/controllers'
import {
  ofAllowedSetting,
  ofClient,
  ofMetadataClient,
  ofNewClient,
} from '#pages/reauthentication/purposes'
import { reauthenticated } from '#start/routes/reauthentication'

const { admin: pages } = controllers

/** While the provider is off, one page says so. */
export function clientRoutes() {
  router.get('clients', [pages.Clients, 'index'])
  if (!oidc.isOn) return
  router.post('clients', [pages.Clients, 'store']).use(reauthenticated(ofNewClient))
  router.get('clients/create', [pages.Clients, 'create'])
  router.get('clients/:id', [pages.Clients, 'show'])
  router.post('clients/:id', [pages.Clients, 'update']).use(reauthenticated(ofClient('update')))
  router.get('clients/:id/access', [pages.Access, 'ofClient'])
  router.get('users/:id/access', [pages.Access, 'ofUser'])
  router.get('clients/:id/rotate-secret', [pages.Clients, 'rotate'])
  router
    .post('clients/:id/rotate-secret', [pages.Clients, 'rotateSecret'])
    .use(reauthenticated(ofClient('rotate')))
  router
    .post('clients/:id/logo/remove', [pages.ClientLogos, 'destroy'])
    .use(reauthenticated(ofClient('logo')))
  router.on('clients/:id/logo').redirectToPath('/admin/clients').as('clients.logo.back')
  router.get('clients/:id/allow/:setting', [pages.ClientRefusals, 'back'])
  router
    .post('clients/:id/allow/:setting', [pages.ClientRefusals, 'store'])
    .use(reauthenticated(ofAllowedSetting))
  router.get('clients/:id/delete', [pages.Clients, 'delete'])
  router
    .post('clients/:id/delete', [pages.Clients, 'destroy'])
    .use(reauthenticated(ofClient('delete')))
  router
    .post('client-documents/delete', [pages.ClientDocuments, 'destroy'])
    .use(reauthenticated(ofMetadataClient))
  router
    .on('client-documents/delete')
    .redirectToPath('/admin/clients')
    .as('client_documents.delete.back')
}

export function logoRoutes() {
  if (!oidc.isOn) return
  router
    .post('clients/:id/logo', [pages.ClientLogos, 'store'])
    .use(reauthenticated(ofClient('logo')))
}
