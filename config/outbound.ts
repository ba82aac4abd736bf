import env from '#start/env'
import { appUrl } from '#config/app'

/** The addresses that the product may call if an administrator has typed them. */
export default {
  /** Private networks, to which http is also allowed; all other addresses are public and https. */
  networks: env.get('OUTBOUND_ALLOWED_NETWORKS'),

  /** Our own address is never called: the request would come from a trusted address. */
  own: { host: new URL(appUrl).host, port: env.get('PORT') },
}
