import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { DEFAULT_DEVICE_ID } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'

/**
 * A device id counts in every network. Without an id, browser, system and network identify the
 * device, so that an update of the browser does not make a new device.
 */
export function fingerprintOf({ deviceId, deviceName, ip }: SessionRecord) {
  if (deviceId !== DEFAULT_DEVICE_ID) return fingerprintOfId(deviceId)
  return digest(['kind', deviceName, networkOf(ip)])
}

export function fingerprintOfId(deviceId: string) {
  return digest(['id', deviceId])
}

function digest(device: string[]) {
  return hash('sha256', JSON.stringify(device), 'base64url')
}

// The /24 of an IPv4 address, or the /48 of an IPv6 address: about one site.
export function networkOf(ip: string) {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  const [kind, bits] =
    address.kind() === 'ipv4' ? ([ipaddr.IPv4, 24] as const) : ([ipaddr.IPv6, 48] as const)
  return kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()
}
