import { defineConfig } from '@adonisjs/session'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'
import { pageStateStore } from '#http/page_state_store'

/** An encrypted cookie holds the CSRF secret and flash messages, so that visitors take no storage. */
export default defineConfig({
  enabled: true,
  cookieName: cookieName('page_state'),
  clearWithBrowser: true,
  age: '1d',
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
  store: 'cookie',
  stores: { cookie: pageStateStore },
})
