import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { replaceBackupCodes } from '#auth/mfa/backup_codes'
import { createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { person } from '../account/person.ts'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import type User from '#models/user'

const PAGE = '/account/security'

interface PasswordChange {
  currentPassword: string
  newPassword: string
  code: string
}

type Change = (values: PasswordChange) => Promise<number>

/** Sends a change of password by each way, in a session that is older than the second factor. */
const CHANGES: Record<string, (client: ApiClient) => Promise<{ user: User; change: Change }>> = {
  'the API': async (client) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const change: Change = async (values) => {
      const response = await client.post('/auth/change-password').headers(headers).json(values)
      return response.status()
    }
    return { user, change }
  },
  'a page': async () => {
    const { user, browser } = await person()
    const change: Change = async (values) => {
      const { status } = await browser.submit(PAGE, { ...values }, `${PAGE}/password`)
      return status
    }
    return { user, change }
  },
}

const STATUSES = { 'the API': [400, 200, 400], 'a page': [422, 303, 422] } as const

test.group('MFA | a backup code beside a refused change', () => {
  test('that {$self} refused is good for one more')
    .with(Object.keys(CHANGES))
    .run(async ({ client, assert }, sender) => {
      const { user, change } = await CHANGES[sender](client)
      await giveSecondFactor(user)
      const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
      const next = 'An0ther-horse!'
      const statuses = [
        await change({ currentPassword: PASSWORD, newPassword: PASSWORD, code }),
        await change({ currentPassword: PASSWORD, newPassword: next, code }),
        await change({ currentPassword: next, newPassword: 'A-th1rd-horse!', code }),
      ]
      assert.deepEqual(statuses, [...STATUSES[sender as keyof typeof STATUSES]])
    })
})
