import { defineConfig, stores } from '@adonisjs/session'
import { isHttps } from '#config/app'

/** An encrypted cookie holds the CSRF secret and flash messages, so that visitors take no storage. */
export default defineConfig({
  enabled: true,
  cookieName: isHttps ? '__Host-page-state' : 'page-state',
  clearWithBrowser: true,
  age: '1d',
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
  store: 'cookie',
  stores: { cookie: stores.cookie() },
})
