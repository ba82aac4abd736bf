import { randomUUID } from 'node:crypto'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { network } from '#network/public_hosts'
import { createProvider } from '#settings/external_providers'
import { findAdmins } from '#settings/record_change'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { forgetSettings, withoutSettingsMails } from '#tests/support/settings'
import { isAnswered, type LimitRow } from './limits.ts'

/* The limits on the settings of the console and on the servers that they call. */

function someProvider() {
  const name = `p${randomUUID().slice(0, 8)}`
  return { name, issuer: `https://${name}.example`, clientId: 'gatehouse', clientSecret: 'secret' }
}

async function addProviders(count: number) {
  for (let number = 1; number <= count; number++) await createProvider(someProvider(), SYSTEM)
  return true
}

/** Names do not resolve, so that no test calls another server. */
async function areTested(count: number, client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  const { resolve } = network
  network.resolve = async () => []
  const { name, ...provider } = someProvider()
  const path = `/external-providers/${name}/test`
  const test = () => client.post(path).headers(headers).json(provider)
  return isAnswered(count, test).finally(() => (network.resolve = resolve))
}

/** Changes of a provider and changes of a setting are counted together. */
async function areChanged(count: number, client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  const provider = `/external-providers/${someProvider().name}`
  const changes = [
    () => client.delete(provider).headers(headers).json({}),
    () => client.patch('/settings').headers(headers).header('if-match', '"another"').json({}),
  ]
  return isAnswered(count, (number) => changes[number % 2]())
}

/** Demotes the administrators of other tests; the rollback restores them. */
async function areMailed(count: number) {
  const trx = await db.transaction()
  try {
    await trx.from('users').where('role', 'Admin').update({ role: 'User' })
    const users = await trx
      .from('users')
      .where('kind', 'person')
      .whereNull('disabled_at')
      .limit(count)
    const ids = users.map(({ id }) => id)
    await trx.from('users').whereIn('id', ids).update({ role: 'Admin' })
    const mailed = await findAdmins(trx)
    return mailed.length === count
  } finally {
    await trx.rollback()
  }
}

export const SETTINGS_LIMITS = {
  settingText: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const change = { SMTP_USERNAME: 'x'.repeat(count) }
      const request = client.patch('/settings').headers(headers)
      const response = await request.header('if-match', '"another"').json(change)
      return response.status() === 412
    },
  },
  brandLogoBytes: {
    isAllowed: async (count, client) => {
      const { headers } = await signedIn(client, await createAdmin())
      const request = client.put('/settings/BRAND_LOGO').headers(headers).header('if-match', '*')
      const response = await request.file('file', Buffer.alloc(count), { filename: 'a.png' })
      return response.status() !== 413
    },
  },
  settingsChanges: { lowered: 2, isAllowed: areChanged },
  settingsTest: { lowered: 2, isAllowed: areTested },
  settingsMailRecipients: { lowered: 2, isAllowed: areMailed },
  externalProviders: {
    lowered: 3,
    isAllowed: async (count) => {
      try {
        return await withoutSettingsMails(() => addProviders(count))
      } catch (error) {
        if (error.code === 'E_PROVIDER_LIMIT') return false
        throw error
      } finally {
        await forgetSettings()
      }
    },
  },
} satisfies Record<string, LimitRow>
