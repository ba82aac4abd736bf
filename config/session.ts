import { defineConfig, stores } from '@adonisjs/session'
import { isHttps } from '#config/app'

/**
 * What the console's pages keep between two requests: the CSRF secret and flash messages.
 * They are in an encrypted cookie, so that anonymous visitors take no storage. Whether an
 * administrator is signed in is decided by the token store.
 */
export default defineConfig({
  enabled: true,
  cookieName: isHttps ? '__Host-console-state' : 'console-state',
  clearWithBrowser: true,
  age: '1d',
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
  store: 'cookie',
  stores: { cookie: stores.cookie() },
})
