import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { refreshSettings } from '#settings/values/ensure_settings'
import { deleteProviderRow, insertProvider } from '#settings/values/provider_rows'
import { encryptProviderSecret } from '#settings/values/secrets'
import { withoutSettingsMails } from '#tests/support/settings'
import { send, type Change, type Prover } from './change_requests.ts'

/* Changes of settings as requests to the API, with nothing left behind. */

const whateverIsSet = ({ headers, ...prover }: Prover): Prover => ({
  ...prover,
  headers: { ...headers, 'if-match': '*' },
})

/** Stores the provider without a mail to each administrator of all tests. */
async function storeProvider(name: string) {
  const given = { name, issuer: `https://${name}.example`, clientId: 'gatehouse' }
  const row = {
    ...given,
    clientSecret: encryptProviderSecret({ ...given, clientSecret: 'secret' }),
  }
  await db.transaction((trx) => insertProvider(row, { actor: SYSTEM, trx }))
  await refreshSettings()
}

async function forgetProvider(name: string) {
  await db.transaction((trx) => deleteProviderRow(name, trx))
  await refreshSettings()
}

function onProvider(change: (name: string) => Change): Change {
  return async (prover) => {
    const name = `p${randomUUID().slice(0, 8)}`
    await storeProvider(name)
    const response = await withoutSettingsMails(() => change(name)(prover))
    await forgetProvider(name)
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
