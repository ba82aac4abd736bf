import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { createAdmin } from '#tests/support/fixtures'
import { visitor } from './console_visitor.ts'

/*
 | Every page and form about one record × a record that does not exist: it was deleted in another
 | tab, or the address was typed. A new route is tested without a row.
 */

const SECTIONS = /^\/(admin|account|oauth\/interaction)\//

interface Route {
  method: string
  pattern: string
}

function routesOfRecords(): Route[] {
  const routes = Object.values(router.toJSON()).flat()
  const found = routes.flatMap(({ methods, pattern }) =>
    methods.filter((method) => /^(GET|POST)$/.test(method)).map((method) => ({ method, pattern }))
  )
  return found.filter(({ pattern }) => SECTIONS.test(pattern) && pattern.includes(':'))
}

/** The other routes answer 404. */
const OTHERWISE: Record<string, number[]> = {
  // A GET of a form's address only leads to its page, as after a sign-in.
  'GET /account/address/:step': [302],
  'GET /admin/account/address/:step': [302],
  'GET /admin/mails/:id/read': [302],
  'GET /admin/settings/:card': [302],
  'GET /admin/settings/:card/:action': [302],
  'GET /admin/keys/:what': [302],
  'GET /admin/clients/:id/logo': [302],
  'GET /admin/clients/:id/allow/:setting': [302],
  'GET /admin/groups/:id/members': [302],
  'GET /admin/users/:id/groups': [302],
  'GET /admin/webhooks/:id/test': [302],
  'GET /admin/webhooks/:id/replay': [302],
  'GET /admin/webhooks/:id/deliveries/:deliveryId/retry': [302],
  'GET /oauth/interaction/:uid/address': [303],
  'GET /oauth/interaction/:uid/address/:step': [303],
  // The form is checked first: it lacks a name, minutes or a reason.
  'POST /account/security/passkeys/:id': [422],
  'POST /admin/account/security/passkeys/:id': [422],
  'POST /admin/users/:id/lock': [400],
  'POST /admin/users/:id/disable': [404, 400],
  // A list says that it has ended or is not written, and the page of the client that a file is missing.
  'POST /admin/sessions/:userId/:sessionId/end': [303],
  'POST /admin/mails/:id/read': [303],
  'POST /admin/clients/:id/logo': [303],
}

/** Values of a path parameter. None of them is the id of a record. */
const IDS = [
  '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604',
  '01A1FD70-F1C0-7C4B-9D3E-2F8A51C7E605',
  'constructor',
  'a%00b',
  '%F0%9F%94%91',
  'x'.repeat(300),
]

/** Fields of a form: none at all, and each with a value of the wrong kind. */
const FORMS: Record<string, string>[] = [
  {},
  Object.fromEntries(
    [
      'name',
      'email',
      'group',
      'user',
      'reason',
      'minutes',
      'role',
      'url',
      'shown',
      'savedForm',
    ].map((field) => [`${field}[deep][]`, 'x'])
  ),
  { name: 'a\0b', username: 'a\0b', group: 'a\0b', user: 'a\0b', reason: 'a\0b', shown: '{"a":' },
]

test.group('Matrix | pages of a missing record', () => {
  test('{method} {pattern} answers as its row says')
    .with(routesOfRecords)
    .run(async ({ assert }, { method, pattern }) => {
      const { submit, open } = await visitor(await createAdmin(), { amr: ['pwd'] })
      const paths = IDS.map((id) => pattern.replaceAll(/:\w+/g, id))
      const forms = method === 'GET' ? [null] : FORMS
      const answers = []
      for (const path of paths) {
        for (const form of forms) answers.push(await (form ? submit(path, form) : open(path)))
      }
      const statuses = new Set(answers.map(({ status }) => status))
      assert.sameMembers([...statuses], OTHERWISE[`${method} ${pattern}`] ?? [404])
    })
})
