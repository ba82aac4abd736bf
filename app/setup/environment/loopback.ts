import { networkInterfaces } from 'node:os'

const LOOPBACK = ['127.0.0.1', '::1']

/** Browsers differ in which address of `localhost` they try first, so the server listens on both. */
export function loopbackAddresses() {
  const present = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const found = LOOPBACK.filter((address) => present.some((each) => each.address === address))
  return found.length > 0 ? found : LOOPBACK.slice(0, 1)
}
