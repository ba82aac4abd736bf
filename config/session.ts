import { defineConfig, stores } from '@adonisjs/session'
import { isHttps } from '#config/app'

/**
 * What the console's pages remember between two clicks: the CSRF secret and messages. It
 * is in an encrypted cookie, so that anonymous visitors cost nothing to store; who is
 * signed in is decided by the session registry alone.
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
