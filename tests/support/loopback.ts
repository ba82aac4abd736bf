import outbound from '#config/outbound'
import { networks } from '#setup/environment/address_rules'
import type { Group } from '@japa/runner/core'

/** Receivers and providers of tests listen on the loopback network. */
export function allowLoopback(group: Group) {
  group.each.setup(setLoopback)
}

export async function withLoopback<Result>(act: () => Promise<Result>) {
  const restore = setLoopback()
  return act().finally(restore)
}

const LOOPBACK = networks()('OUTBOUND_ALLOWED_NETWORKS', '127.0.0.0/8')

/** @returns what restores the networks */
function setLoopback() {
  const { networks: previous } = outbound
  outbound.networks = LOOPBACK
  return () => void (outbound.networks = previous)
}
