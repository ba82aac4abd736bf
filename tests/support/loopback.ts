import outbound from '#config/outbound'
import { networks } from '#setup/environment/address_rules'
import type { Group } from '@japa/runner/core'

/** Allows the loopback network, on which receivers and providers of tests listen. */
export function allowLoopback(group: Group) {
  group.each.setup(setLoopback)
}

export async function withLoopback<Result>(act: () => Promise<Result>) {
  const restore = setLoopback()
  return act().finally(restore)
}

const LOOPBACK = networks()('OUTBOUND_ALLOWED_NETWORKS', '127.0.0.0/8')

/** @returns a function that restores the networks */
function setLoopback() {
  const { networks: previous } = outbound
  outbound.networks = LOOPBACK
  return () => void (outbound.networks = previous)
}
