import app from '@adonisjs/core/services/app'
import type { TokenStore } from './contract.ts'

let store: TokenStore

await app.booted(async () => {
  store = await app.container.make('token_store')
})

export { store as default }
