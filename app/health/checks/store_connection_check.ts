import store from '#auth/store/service'
import { ConnectionCheck } from './connection_check.ts'

/** The store of tokens and sessions in use, whether the database or Redis. */
export class StoreConnectionCheck extends ConnectionCheck {
  name = 'store'

  get driver() {
    return store.driver
  }

  protected ping() {
    return store.ping()
  }
}
