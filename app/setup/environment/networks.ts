import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

export type Network = [address: Address, bits: number]

/** An IPv4 address that is written as IPv6 counts as IPv4. */
export function isWithinNetworks(text: string, networks: Network[]) {
  if (networks.length === 0 || !ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return networks.some(([network, bits]) => isWithin(address, network, bits))
}

function isWithin(address: Address, network: Address, bits: number) {
  if (address instanceof ipaddr.IPv4) {
    return network instanceof ipaddr.IPv4 && address.match(network, bits)
  }
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}
