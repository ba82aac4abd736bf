import { configProvider } from '@adonisjs/core'
import { defineConfig, stores } from '@adonisjs/session'
import type { SessionStoreFactory } from '@adonisjs/session/types'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'

/** The store of the framework names its cookie like the random id of the session. */
const namedStore = configProvider.create<SessionStoreFactory>(async (app) => {
  const makeStore = await stores.cookie().resolver(app)
  return (ctx, settings) => {
    const store = makeStore(ctx, settings)
    const nameOf = (id: string) => cookieName(`page_${id}`)
    return {
      read: (id) => store.read(nameOf(id)),
      write: (id, values) => store.write(nameOf(id), values),
      destroy: (id) => store.destroy(nameOf(id)),
      touch: (id) => store.touch(nameOf(id)),
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
