import oidc from '#config/oidc'
import { subscribe } from '#events/record'

export default class OidcProvider {
  register() {
    if (!oidc.isOn) return
    subscribe('client_sessions.ended', async (event, trx) => {
      const { queueLogouts } = await import('#oidc/backchannel/queue_logouts')
      await queueLogouts(event, trx)
    })
  }
}
