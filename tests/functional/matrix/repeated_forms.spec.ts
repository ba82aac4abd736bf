import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { findClientById } from '#oidc/clients/client_rows'
import { secretsOf } from '#webhooks/webhook'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { createAdmin, createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { newWebhook, removeWebhooks, silenceMails, someUrl } from '#tests/support/webhook_endpoints'
import { htmlOf } from '../account/person.ts'
import { visitor } from './console_visitor.ts'
import type User from '#models/user'

/*
 | Every form that makes a record × a double click and a later repetition. It makes one record, to
 | which each answer leads. A new form of this kind adds its row here.
 */

interface MakingForm {
  /** The page of the form. */
  page: string
  /** The address to which the form is sent, if it is not the page. */
  action?: string
  fields?: Record<string, string>
  /** The rows that the form has made or changed: one row, however often it was sent. */
  made: () => Promise<unknown[]>
}

const rowsOf = (table: string, where: object) => () => db.from(table).where(where).select('id')

function ofUsers(page: string, fields: Record<string, string>, action = page): MakingForm {
  const { email, username } = fields
  return { page, action, fields, made: rowsOf('users', email ? { email } : { username }) }
}

const keyFields = { 'name': 'Report', 'days': '30', 'scopes[]': 'profile:read' }

/** Collects secrets: a rotation that is repeated makes another one, a failed one makes none. */
async function collect(read: () => Promise<string | null>) {
  const [first, secrets] = [await read(), new Set<string | null>()]
  return async () => [...secrets.add(await read())].filter((secret) => secret !== first)
}

const FORMS: Record<string, (admin: User) => Promise<MakingForm>> = {
  async 'a user'() {
    const fields = { email: someEmail(), username: 'Ada', password: PASSWORD, role: 'User' }
    return ofUsers('/admin/users/create', fields, '/admin/users')
  },
  async 'an invitation'() {
    const fields = { email: someEmail(), username: 'Ada', role: 'User' }
    return ofUsers('/admin/users/invite', fields)
  },
  async 'a service account'() {
    return ofUsers('/admin/users/create-service', {
      username: `Robot ${randomUUID()}`,
      role: 'User',
    })
  },
  async 'a group'() {
    const fields = { name: `Staff ${randomUUID()}`, title: '', description: '' }
    const made = rowsOf('groups', { name: fields.name })
    return { page: '/admin/groups/create', action: '/admin/groups', fields, made }
  },
  async 'an API key'({ id }) {
    const [page, action] = ['/admin/account/security', '/admin/account/security/api-keys']
    return { page, action, fields: keyFields, made: rowsOf('api_keys', { user_id: id }) }
  },
  async 'an API key of a user'() {
    const { id } = await createUser()
    const page = `/admin/users/${id}`
    const made = rowsOf('api_keys', { user_id: id })
    return { page, action: `${page}/api-keys`, fields: keyFields, made }
  },
  async 'an application'() {
    const fields = {
      'name': `Grafana ${randomUUID()}`,
      'kind': 'first_party',
      'redirectUris': 'https://grafana.example.org/login/generic_oauth',
      'tokenEndpointAuthMethod': 'client_secret_basic',
      'grantTypes[]': 'authorization_code',
      'scopes[]': 'openid',
    }
    const made = rowsOf('oauth_clients', { name: fields.name })
    return { page: '/admin/clients/create', action: '/admin/clients', fields, made }
  },
  async 'another secret of an application'() {
    const { client } = await application()
    const { id } = client
    const page = `/admin/clients/${id}/rotate-secret`
    const made = await collect(async () => (await findClientById(id))!.secretHash)
    return { page, made }
  },
  async 'a webhook'() {
    const fields = { 'url': someUrl(), 'events[]': '*' }
    const made = rowsOf('webhooks', { url: fields.url })
    return { page: '/admin/webhooks/create', action: '/admin/webhooks', fields, made }
  },
  async 'another secret of a webhook'() {
    const { id } = await newWebhook()
    const made = await collect(async () => secretsOf((await findWebhookRow(id))!)[0])
    return { page: `/admin/webhooks/${id}/rotate-secret`, made }
  },
}

test.group('Matrix | forms that are sent again', (group) => {
  silenceMails(group)
  group.each.setup(removeWebhooks)

  test('one that makes {$self} makes it once')
    .with(Object.keys(FORMS))
    .run(async ({ assert }, name) => {
      const admin = await createAdmin()
      const { page, action = page, fields, made } = await FORMS[name](admin)
      const { open, submit } = await visitor(admin, { amr: ['pwd'] })
      const form = await htmlOf(open(page))
      const [, formToken] = /name="formToken" value="([^"]+)"/.exec(form)!
      const send = async () => {
        const { status, headers } = await submit(action, { formToken, ...fields })
        await made()
        return { status, to: headers.get('location') }
      }
      const answers = [...(await Promise.all([send(), send()])), await send()]
      const [{ to }] = answers
      assert.deepEqual(
        answers,
        answers.map(() => ({ status: 303, to }))
      )
      assert.lengthOf(await made(), 1)
    })
})
