import { variablesOf } from '#setup/environment/oidc_clients'
import { recordChange } from './record_change.ts'
import type { Actor } from '#audit/actor'
import type { SettingsChange } from '#events/details'
import type { Transaction } from '#database/transaction'

interface Named {
  name: string
  issuer: string
  clientId: string
}

interface ProviderChange {
  before: Named | null
  after: Named | null
  isNewSecret: boolean
}

/** Records the fields under the names of the variables that would set them. */
export async function recordProvider(
  { before, after, isNewSecret }: ProviderChange,
  by: { actor: Actor; trx: Transaction }
) {
  const { name } = (after ?? before)!
  const [issuer, clientId, clientSecret] = variablesOf(name)
  const details: SettingsChange = {
    ...changeOf(issuer, before?.issuer, after?.issuer),
    ...changeOf(clientId, before?.clientId, after?.clientId),
    ...((isNewSecret || !after) && { [clientSecret]: 'changed' }),
  }
  await recordChange(details, { mailed: Object.keys(details), via: null, ...by })
}

function changeOf(variable: string, before: string | null = null, after: string | null = null) {
  return before === after ? {} : { [variable]: { before, after } }
}
