import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { fixed } from '#pages/reauthentication/purposes'
import { exempt, reauthenticated } from '#start/routes/reauthentication'

const { admin: pages } = controllers

const proven = (change: string) => reauthenticated(fixed(`configure.purpose.${change}`))

/** A setting may send mails elsewhere, or let other users in. */
export function settingRoutes() {
  router.get('settings', [pages.Settings, 'index'])
  router.get('settings/preview.svg', [pages.Settings, 'picture'])
  router.post('settings/brand/preview', [pages.Settings, 'preview']).use(exempt('it only shows'))
  router.post('settings/mail/test', [pages.Settings, 'testMail']).use(proven('test_mail'))
  router.post('settings/logo/remove', [pages.Settings, 'removeLogo']).use(proven('logo'))
  providerRoutes()
  router.post('settings/:card', [pages.Settings, 'update']).use(proven('settings'))
  router.on('settings/:card').redirectToPath('/admin/settings').as('settings.back')
  router.on('settings/:card/:action').redirectToPath('/admin/settings').as('settings.action.back')
}

function providerRoutes() {
  router.post('settings/providers', [pages.ExternalProviders, 'store']).use(proven('provider'))
  router.post('settings/providers/test', [pages.ExternalProviders, 'test']).use(proven('provider'))
  router.get('settings/providers/:name', [pages.ExternalProviders, 'show'])
  router
    .post('settings/providers/:name', [pages.ExternalProviders, 'update'])
    .use(proven('provider'))
  router
    .post('settings/providers/:name/test', [pages.ExternalProviders, 'testChange'])
    .use(proven('provider'))
  router.get('settings/providers/:name/delete', [pages.ExternalProviders, 'delete'])
  router
    .post('settings/providers/:name/delete', [pages.ExternalProviders, 'destroy'])
    .use(proven('delete_provider'))
}

export function brandLogoRoutes() {
  router.post('settings/logo', [pages.Settings, 'storeLogo']).use(proven('logo'))
}
