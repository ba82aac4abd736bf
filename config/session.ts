import { configProvider } from '@adonisjs/core'
import { defineConfig, stores } from '@adonisjs/session'
import type { SessionStoreFactory } from '@adonisjs/session/types'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'

export const valuesCookie = cookieName('page_values')

/** The framework would name this cookie by the random session id: each session would leave one. */
const namedStore = configProvider.create<SessionStoreFactory>(async (app) => {
  const makeStore = await stores.cookie().resolver(app)
  return (ctx, settings) => {
    const store = makeStore(ctx, settings)
    return {
      read: () => store.read(valuesCookie),
      write: (_, values) => store.write(valuesCookie, values),
      destroy: () => store.destroy(valuesCookie),
      touch: () => store.touch(valuesCookie),
    }
  }
})

/** An encrypted cookie holds the CSRF secret and flash messages, so that visitors take no storage. */
export default defineConfig({
  enabled: true,
  cookieName: cookieName('page_state'),
  clearWithBrowser: true,
  age: '1d',
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
  store: 'cookie',
  stores: { cookie: namedStore },
})
