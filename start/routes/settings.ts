import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

const { api } = controllers

const isAdmin = () => [middleware.auth(), middleware.requireAdmin({ guard: 'api' })]

function settingRoutes() {
  router.get('settings', [api.Settings, 'index'])
  router.patch('settings', [api.Settings, 'update'])
}

function providerRoutes() {
  router.get('external-providers', [api.ExternalProviders, 'index'])
  router.post('external-providers', [api.ExternalProviders, 'store'])
  router.put('external-providers/:name', [api.ExternalProviders, 'update'])
  router.delete('external-providers/:name', [api.ExternalProviders, 'destroy'])
  router.post('external-providers/:name/test', [api.ExternalProviders, 'test'])
}

router.put('settings/BRAND_LOGO', [api.Settings, 'storeLogo']).use(isAdmin())

router
  .group(() => {
    settingRoutes()
    providerRoutes()
  })
  .use([...isAdmin(), middleware.jsonBody()])
