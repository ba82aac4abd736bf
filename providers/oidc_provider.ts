import oidc from '#config/oidc'
import { subscribe } from '#events/record'

/** Has applications hear of sessions that end; what sends it is loaded with the first one. */
export default class OidcProvider {
  register() {
    if (!oidc.isOn) return
    subscribe('client_sessions.ended', async (event, trx) => {
      const { queueLogouts } = await import('#oidc/backchannel/queue_logouts')
      await queueLogouts(event, trx)
    })
  }
}
