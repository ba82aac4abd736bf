import oidc from '#config/oidc'
import { onGrantsEnded } from '#auth/sessions/ended_grants'

/** Has applications told of sessions that end; what does it is loaded when the first one does. */
export default class OidcProvider {
  register() {
    if (!oidc.isOn) return
    onGrantsEnded(async (...ended) => {
      const { queueLogouts } = await import('#oidc/backchannel/queue_logouts')
      await queueLogouts(...ended)
    })
  }
}
