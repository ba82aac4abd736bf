import { defineConfig, stores } from '@adonisjs/session'
import { isHttps } from '#config/app'

/**
 * What pages keep between two requests: the CSRF secret, flash messages, and when the console
 * was used last. They are in an encrypted cookie, so that anonymous visitors take no storage.
 * Whether somebody is signed in is decided by the token store.
 */
export default defineConfig({
  enabled: true,
  cookieName: isHttps ? '__Host-page-state' : 'page-state',
  clearWithBrowser: true,
  age: '1d',
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
  store: 'cookie',
  stores: { cookie: stores.cookie() },
})
