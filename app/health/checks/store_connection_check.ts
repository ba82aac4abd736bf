import store from '#auth/store/service'
import { ConnectionCheck } from './connection_check.ts'

export class StoreConnectionCheck extends ConnectionCheck {
  name = 'store'

  get driver() {
    return store.driver
  }

  protected ping() {
    return store.ping()
  }
}
