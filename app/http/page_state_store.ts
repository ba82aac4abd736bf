import { configProvider } from '@adonisjs/core'
import { stores } from '@adonisjs/session'
import type { SessionStoreFactory } from '@adonisjs/session/types'
import { cookieName } from '#config/cookies'

/** The store of the framework names its cookie like the random id of the session. */
export const pageStateStore = configProvider.create<SessionStoreFactory>(async (app) => {
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
