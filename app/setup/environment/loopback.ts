import { networkInterfaces } from 'node:os'

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The loopback addresses of this machine. `localhost` is either of them, and which one a
 * browser tries first differs, so the server listens on both where no `HOST` is set.
 */
export function loopbackAddresses() {
  const present = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const found = LOOPBACK.filter((address) => present.some((each) => each.address === address))
  return found.length > 0 ? found : LOOPBACK.slice(0, 1)
}
