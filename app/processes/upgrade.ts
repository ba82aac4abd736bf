import { refusal } from '#exceptions/refusal'
import { liveProcesses } from './live_processes.ts'
import { isOlder } from './versions.ts'
import type { Transaction } from '#database/transaction'

/*
 | During an upgrade, a process of the previous release runs beside the new one. A restriction that
 | the older one does not know would apply at only one of them, so it is refused until it ends.
 */

/** The first version that enforces each restriction. A new restriction needs a row here. */
export const FIRST_KNOWN = {
  access: '0.2.0',
  requireDpop: '0.2.0',
  requireMfa: '0.2.0',
  requirePar: '0.2.0',
  requireVerifiedEmail: '0.2.0',
} as const

export type Restriction = keyof typeof FIRST_KNOWN

export const E_UPGRADE_PENDING = refusal(
  409,
  'E_UPGRADE_PENDING',
  'A server of an earlier version runs, which does not know this restriction'
)

/** Asks nothing without restrictions. @throws E_UPGRADE_PENDING with the versions that run */
export async function assertKnownToAll(restrictions: Restriction[], trx: Transaction) {
  if (restrictions.length === 0) return
  const processes = await liveProcesses(trx)
  const isUnknownTo = (version: string) =>
    restrictions.some((restriction) => isOlder(version, FIRST_KNOWN[restriction]))
  const versions = new Set(processes.map(({ version }) => version).filter(isUnknownTo))
  if (versions.size === 0) return
  throw new E_UPGRADE_PENDING().with({ fields: restrictions, versions: [...versions].sort() })
}
