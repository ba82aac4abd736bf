import env from '#start/env'
import { appUrl } from '#config/app'

/** What the product may call at addresses that an administrator typed. */
export default {
  /** Private addresses, and http to them; all others are public and https. */
  networks: env.get('OUTBOUND_ALLOWED_NETWORKS'),

  /** Never called: a request of ours would come from a trusted address. */
  own: { host: new URL(appUrl).host, port: env.get('PORT') },
}
