import { randomUUID } from 'node:crypto'
import { SYSTEM } from '#audit/actor'
import { createProvider, deleteProvider, listProviders } from '#settings/external_providers'
import { send, type Change, type Prover } from './change_requests.ts'

/* Changes of settings as requests to the API, which leave nothing behind. */

const whateverIsSet = ({ headers, ...prover }: Prover): Prover => ({
  ...prover,
  headers: { ...headers, 'if-match': '*' },
})

function onProvider(change: (name: string) => Change): Change {
  return async (prover) => {
    const name = `p${randomUUID().slice(0, 8)}`
    const issuer = `https://${name}.example`
    await createProvider({ name, issuer, clientId: 'gatehouse', clientSecret: 'secret' }, SYSTEM)
    const response = await change(name)(prover)
    const stored = await listProviders()
    if (stored.some((each) => each.name === name)) await deleteProvider(name, SYSTEM)
    return response
  }
}

export const SETTINGS_CHANGES = {
  'unsetting a setting': (prover) =>
    send('patch', '/settings', { BRAND_NAME: null })(whateverIsSet(prover)),
  'changing an external provider': onProvider((name) =>
    send('put', `/external-providers/${name}`, { clientId: 'other' })
  ),
  'deleting an external provider': onProvider((name) =>
    send('delete', `/external-providers/${name}`)
  ),
} satisfies Record<string, Change>
